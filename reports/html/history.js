/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history - the rate of each cell over runs, where its level changed, and the
 * baseline. page.data.trends holds for each its points as [run, started, n,
 * KB/s, least, most, half, change, change to the baseline, cached, label,
 * driver, OS] and its steps as [point, before, after, change, p].
 */
"use strict";

(() => {
	const { data, add, color, inUnit, rate, chart } = page;
	const AT_ONCE = 24; /* charts */
	const section = document.getElementById("charts");

	const percent = (value) => value === null ? ""
		: (value > 0 ? "+" : "") + value.toFixed(1) + "%";
	const time = (point) => Date.parse(point[1]);
	const day = (ms) => new Date(ms).toISOString().slice(0, 10);

	function saysPoint([run, started, n, kb, , , half, change, toBase, cached,
		label, driver]) {
		return [
			`run ${run}${label ? ` (${label})` : ""}, ` +
				started.slice(0, 16).replace("T", " "),
			`${rate(kb)} ${data.unit}/s` +
				(half === null ? "" : `, \u00b1${half.toFixed(1)}%`) +
				`, n=${n}`,
			...change === null ? [] : [`${percent(change)} to the run before`],
			...toBase === null ? [] : [`${percent(toBase)} to the baseline`],
			...driver ? [`by ${driver}`] : [],
			...cached ? [`${cached} from memory`] : [],
		];
	}

	/* The levels between the steps, as lines that are level. */
	function levels({ points, steps }) {
		if (steps.length === 0)
			return [];
		const ends = steps.map(([at]) => at);
		const rates = [steps[0][1], ...steps.map(([, , after]) => after)];
		return rates.map((kb, i) => [
			{ x: time(points[i === 0 ? 0 : ends[i - 1]]), y: inUnit(kb) },
			{ x: time(points[i === ends.length ? points.length - 1
				: ends[i] - 1]), y: inUnit(kb) },
		]);
	}

	/* From what to what the samples of each run went, and the steps. */
	function marks({ points, steps }) {
		function put({ ctx, scales, chartArea }, ink) {
			const x = (point) => scales.x.getPixelForValue(time(point));
			const y = (kb) => scales.y.getPixelForValue(inUnit(kb));
			ctx.strokeStyle = color(ink);
			ctx.lineWidth = 1;
			ctx.beginPath();
			for (const point of points) {
				ctx.moveTo(x(point), y(point[4]));
				ctx.lineTo(x(point), y(point[5]));
			}
			ctx.stroke();
			ctx.font = "12px " + Chart.defaults.font.family;
			for (const [at, , , change] of steps) {
				const middle = (x(points[at - 1]) + x(points[at])) / 2;
				const up = change > 0;
				ctx.strokeStyle = ctx.fillStyle =
					color(up ? "up" : "down");
				ctx.setLineDash([4, 3]);
				ctx.beginPath();
				ctx.moveTo(middle, chartArea.top);
				ctx.lineTo(middle, chartArea.bottom);
				ctx.stroke();
				ctx.setLineDash([]);
				ctx.textAlign = middle > (chartArea.left +
					chartArea.right) / 2 ? "right" : "left";
				ctx.fillText(` ${percent(change)} `, middle,
					chartArea.bottom - 6);
			}
		}
		return {
			id: "marks",
			afterDatasetsDraw(drawn) {
				drawn.ctx.save();
				put(drawn, "muted");
				drawn.ctx.restore();
			},
		};
	}

	function saysTrend({ title, base, points, steps }) {
		const newest = points[points.length - 1];
		return `${title}: ${points.length} runs, ` +
			`${rate(newest[3])} ${data.unit}/s in the newest` +
			(base ? `, baseline run ${base[0]}` : "") +
			(steps.length ? "; steps: " + steps.map(([at, , , change]) =>
				`${percent(change)} at run ${points[at][0]}`).join(", ")
				: "; no step");
	}

	function datasets(trend) {
		const { op, points, base } = trend;
		const all = [{
			data: points.map((point) => ({
				x: time(point), y: inUnit(point[3]), point })),
			borderColor: color(op, 0.5),
			backgroundColor: color(op),
			borderWidth: 1,
			pointRadius: points.length > 200 ? 1 : 3,
			pointHitRadius: 8,
		}];
		for (const line of levels(trend)) {
			all.push({ data: line, borderColor: color("text"),
				borderWidth: 2, pointRadius: 0, pointHitRadius: 0 });
		}
		if (base) {
			all.push({
				data: [points[0], points[points.length - 1]].map((point) =>
					({ x: time(point), y: inUnit(base[1]) })),
				borderColor: color("muted"),
				borderDash: [2, 4],
				borderWidth: 1.5,
				pointRadius: 0,
				pointHitRadius: 0,
			});
		}
		return all;
	}

	function drawTrend(parent, trend) {
		const times = trend.points.map(time);
		const first = times[0];
		const last = times[times.length - 1];
		const edge = (last - first) * 0.03 || 43200000;
		chart(parent, {
			caption: trend.title + (trend.base
				? ` (dotted: baseline run ${trend.base[0]})` : ""),
			says: saysTrend(trend),
			height: 230,
		}, () => ({
			type: "line",
			data: { datasets: datasets(trend) },
			options: {
				parsing: false,
				normalized: true,
				scales: {
					x: {
						type: "linear",
						min: first - edge,
						max: last + edge,
						ticks: { maxRotation: 0, autoSkipPadding: 24,
							callback: day },
					},
					y: page.rateAxis({ suggestedMax: 1.1 * inUnit(
						Math.max(...trend.points.map((point) =>
							point[5]))) }),
				},
				plugins: {
					legend: { display: false },
					tooltip: {
						filter: ({ raw }) => raw.point !== undefined,
						callbacks: {
							title: () => "",
							label: ({ raw }) => saysPoint(raw.point),
						},
					},
				},
			},
			plugins: [marks(trend)],
		}));
	}

	const heads = ["", "Run", "Started (UTC)", "Label", "Driver", "n",
		data.unit + "/s", "\u00b195%", "Change", "Baseline", "Step"];

	function fillRuns(table, trends) {
		const head = add(add(table, "thead"), "tr");
		heads.forEach((text, i) => {
			const right = i === 1 || i > 4;
			add(head, "th", right ? "n" : "", text).scope = "col";
		});
		const body = add(table, "tbody");
		for (const { title, points, steps, base } of trends) {
			const stepAt = new Map(steps.map((step) => [step[0], step[3]]));
			points.forEach((point, i) => {
				const [run, started, n, kb, , , half, change, toBase, ,
					label, driver] = point;
				const line = add(body, "tr");
				add(line, "th", "", title).scope = "row";
				add(line, "td", "n", run);
				add(line, "td", "", started.slice(0, 16).replace("T", " "));
				add(line, "td", "", label);
				add(line, "td", "", driver);
				add(line, "td", "n", n);
				add(line, "td", "n", rate(kb));
				add(line, "td", "n", half === null ? ""
					: half > 100 ? ">100%"
						: half.toFixed(1) + "%");
				add(line, "td", "n", percent(change));
				add(line, "td", "n", base && base[0] === run ? "base"
					: percent(toBase));
				add(line, "td", "n", percent(stepAt.get(i) ?? null));
			});
		}
	}

	function drawRuns(parent, trends) {
		const details = add(parent, "details");
		add(details, "summary", "", "Every run of these charts");
		details.addEventListener("toggle", () => {
			const scroll = add(details, "div", "scroll");
			scroll.tabIndex = 0;
			fillRuns(add(scroll, "table", "runs"), trends);
		}, { once: true });
	}

	function drawPage(parent, number) {
		page.clear(parent);
		const trends = data.trends.slice(number * AT_ONCE,
			(number + 1) * AT_ONCE);
		const box = add(parent, "div", "pair");
		for (const trend of trends)
			drawTrend(box, trend);
		drawRuns(parent, trends);
	}

	const most = data.trends.length;
	const body = document.createElement("div");
	if (most > AT_ONCE)
		page.addPager(section, { most, atOnce: AT_ONCE,
			what: " in the order of the table" },
			(number) => drawPage(body, number));
	section.append(body);
	drawPage(body, 0);
})();
