/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare - the charts of a comparison. page.data holds its rows by column
 * ("op", "kb_per_s", ..., under the names that the JSON format has) and, for
 * each row, its samples as [round, KB/s or a status, latencies, points].
 */
"use strict";

(() => {
	const { data, add, color, inUnit, rate, chart } = page;
	const AT_ONCE = 16; /* rows of each op in the charts */
	const SAMPLES_MAX = 2000; /* in their table */
	const OPS = { W: "Writes", R: "Reads" };
	const PERCENTILES = [
		{ name: "50 %", color: "p50", pointStyle: "circle" },
		{ name: "90 %", color: "p90", pointStyle: "rect" },
		{ name: "99 %", color: "p99", pointStyle: "triangle" },
		{ name: "99.9 %", color: "p999", pointStyle: "rectRot" },
		{ name: "longest", color: "longest", pointStyle: "crossRot" },
	];
	const section = document.getElementById("charts");
	if (!section)
		return;

	/* Names that are the same in every row tell nothing. */
	function makeLabels() {
		const all = data.row_names;
		const differs = (k) => all.some((names) => names[k] !== all[0][k]);
		const telling = [...all[0].keys()].filter(differs);
		const shown = telling.length ? telling : [...all[0].keys()];
		return all.map((names) => [...shown]
			.map((k) => data.names[names[k]])
			.filter((name) => name !== "").join(" \u00b7 "));
	}
	const labels = makeLabels();
	const bases = new Set(data.base_row);
	const titles = labels.map((label, row) =>
		bases.has(row) ? label + " (base)" : label);

	const counting = (row) => data.samples[row]
		.filter(([, kb]) => typeof kb === "number");
	const roundOf = ([round]) => round ? `round ${round}` : "sample";

	/* Samples of a row stand a little below each other, in their order. */
	const below = (i, of) => of < 2 ? 0 : (i / (of - 1) - 0.5) * 0.5;

	/* What every chart with a row of its own for each row has. */
	function horizontal(rows, x, label, legend = { display: false }) {
		return {
			scales: { x, y: page.nameAxis(rows.map((row) => titles[row])) },
			plugins: {
				legend,
				tooltip: { callbacks: { title: () => "", label } },
			},
		};
	}

	const heightFor = (rows) => 34 * rows.length + 70;

	/* Of numbers, some of which may be missing. */
	const extremes = (numbers) => {
		const known = numbers.filter(Number.isFinite);
		return [Math.min(0, ...known), Math.max(0, ...known)];
	};

	/*
	 * Lines from low to high at each whole number of the axis y, and texts
	 * that stand to the right of what is drawn up to `ends`.
	 */
	function whiskers(pairs, texts = [], ends = []) {
		function put({ ctx, scales }, i) {
			const y = scales.y.getPixelForValue(i);
			const x = (value) => scales.x.getPixelForValue(value);
			const [low, high] = pairs[i]?.map(x) ?? [0, 0];
			if (high - low >= 1) {
				ctx.beginPath();
				ctx.moveTo(low, y);
				ctx.lineTo(high, y);
				for (const end of [low, high]) {
					ctx.moveTo(end, y - 6);
					ctx.lineTo(end, y + 6);
				}
				ctx.stroke();
			}
			if (texts[i])
				ctx.fillText(texts[i], x(ends[i]) + 10, y);
		}
		return {
			id: "whiskers",
			afterDatasetsDraw(drawn) {
				const { ctx } = drawn;
				ctx.save();
				ctx.strokeStyle = ctx.fillStyle = color("text");
				ctx.lineWidth = 1.5;
				ctx.font = "13px " + Chart.defaults.font.family;
				ctx.textBaseline = "middle";
				pairs.forEach((_, i) => put(drawn, i));
				ctx.restore();
			},
		};
	}

	/* Where there is no change; an axis may have no tick there. */
	const zeroLine = {
		id: "zeroLine",
		beforeDatasetsDraw({ ctx, scales, chartArea }) {
			const x = scales.x.getPixelForValue(0);
			ctx.save();
			ctx.strokeStyle = color("text");
			ctx.beginPath();
			ctx.moveTo(x, chartArea.top);
			ctx.lineTo(x, chartArea.bottom);
			ctx.stroke();
			ctx.restore();
		},
	};

	/* From what to what the interval of a row's mean rate goes. */
	function intervalOf(row) {
		const mean = data.kb_per_s[row];
		const part = 1 + (data.half_width_pct[row] ?? 0) / 100;
		return mean === null ? null
			: [inUnit(mean / part), inUnit(mean * part)];
	}

	function drawRates(parent, op, rows) {
		const intervals = rows.map(intervalOf);
		const texts = rows.map((row) => data.rate_text[row]);
		const dots = rows.flatMap((row, y) => counting(row)
			.map((sample, i, all) => ({
				x: inUnit(sample[1]),
				y: y + below(i, all.length),
				says: `${roundOf(sample)}: ${rate(sample[1])}`,
			})));
		const bars = rows.map((row, y) => ({
			x: inUnit(data.kb_per_s[row] ?? 0),
			y,
			says: `${titles[row]}: ${data.rate_text[row]}`,
		}));
		const ends = rows.map((row, y) => extremes([
			...intervals[y] ?? [],
			...counting(row).map(([, kb]) => inUnit(kb))])[1]);
		chart(parent, {
			caption: `${OPS[op]}: mean rate with its ` +
				`${data.confidence_pct}% interval; a dot for each sample`,
			says: bars.map(({ says }) => says).join("; "),
			height: heightFor(rows),
		}, () => ({
			data: { datasets: [{
				type: "scatter",
				data: dots,
				radius: 3,
				backgroundColor: color("back"),
				borderColor: color("text"),
			}, {
				type: "bar",
				indexAxis: "y",
				data: bars,
				barThickness: 22,
				borderWidth: 1,
				backgroundColor: color(op, 0.4),
				borderColor: color(op),
			}] },
			options: horizontal(rows,
				page.rateAxis({ suggestedMax: Math.max(...ends) * 1.25 }),
				({ raw }) => raw.says),
			plugins: [whiskers(intervals, texts, ends)],
		}));
	}

	function drawChanges(parent, op, all) {
		const rows = all.filter((row) => data.change_pct[row] !== null);
		if (rows.length === 0)
			return;
		const pairs = rows.map((row) => data.ci_low_pct[row] === null ? null
			: [data.ci_low_pct[row], data.ci_high_pct[row]]);
		const inks = { up: "up", down: "down", "": "muted" };
		const [least, most] = extremes(pairs.flat());
		chart(parent, {
			caption: `${OPS[op]}: change against the base with its ` +
				`${data.confidence_pct}% interval`,
			says: rows.map((row) => `${labels[row]}: ` +
				data.change_text[row]).join("; "),
			height: heightFor(rows),
		}, () => ({
			type: "scatter",
			data: { datasets: [{
				data: rows.map((row, y) => ({ x: data.change_pct[row], y,
					says: `${labels[row]}: ${data.change_text[row]}` })),
				radius: 5,
				backgroundColor: rows.map((row) =>
					color(inks[data.way[row]])),
				borderColor: color("text"),
			}] },
			options: horizontal(rows, {
				title: { display: true, text: "%, + is faster" },
				suggestedMin: Math.min(-1, least * 1.05),
				suggestedMax: Math.max(1, most * 1.05),
				ticks: { maxRotation: 0, autoSkipPadding: 16 },
			}, ({ raw }) => raw.says),
			plugins: [whiskers(pairs), zeroLine],
		}));
	}

	/* [time, rate] in the middle of each of a sample's points. */
	function lineOf([, , , points]) {
		const [seconds, last, ...values] = points;
		return values.map((kb, i) => ({
			x: i * seconds + (i < values.length - 1 ? seconds : last) / 2,
			y: inUnit(kb),
		}));
	}

	const withPoints = (row) => counting(row)
		.filter(([, , , points]) => points);

	/* Rows with the same base are drawn to the same height. */
	function highest(rows) {
		const most = new Map();
		for (const row of rows) {
			const key = data.base_row[row] ?? row;
			const values = withPoints(row).flatMap((sample) =>
				lineOf(sample).map(({ y }) => y));
			most.set(key, Math.max(most.get(key) ?? 0, ...values));
		}
		return (row) => most.get(data.base_row[row] ?? row);
	}

	function drawLines(parent, op, rows) {
		const timed = rows.filter((row) => withPoints(row).length);
		const most = highest(timed);
		for (const row of timed) {
			const samples = withPoints(row);
			const shade = (i) => samples.length < 2 ? 1
				: 0.4 + 0.6 * i / (samples.length - 1);
			chart(parent, {
				caption: `${titles[row]}, ${op}`,
				says: `${OPS[op]} of ${titles[row]}: rate over time, ` +
					`${samples.length} samples`,
				height: 190,
			}, () => ({
				type: "line",
				data: { datasets: samples.map((sample, i) => ({
					label: roundOf(sample),
					data: lineOf(sample),
					borderColor: color(op, shade(i)),
					borderWidth: 1.5,
					pointRadius: 0,
					pointHitRadius: 8,
				})) },
				options: {
					parsing: false,
					scales: {
						x: {
							type: "linear",
							min: 0,
							title: { display: true, text: "seconds" },
							ticks: { maxRotation: 0,
								autoSkipPadding: 16 },
						},
						y: page.rateAxis({ suggestedMax: most(row) }),
					},
					plugins: {
						legend: { display: false },
						tooltip: { callbacks: {
							title: ([item]) => item.dataset.label,
							label: ({ raw }) => `${raw.x.toPrecision(3)} s: ` +
								rate(raw.y / inUnit(1)),
						} },
					},
				},
			}));
		}
	}

	function drawLatencies(parent, op, all) {
		const rows = all.filter((row) => counting(row).some(([, , us]) => us));
		if (rows.length === 0)
			return;
		const pointsOf = (k) => rows.flatMap((row, y) => counting(row)
			.filter(([, , us]) => us)
			.map((sample, i, samples) => ({
				x: sample[2][k] / 1e3,
				y: y + below(i, samples.length),
				round: roundOf(sample),
			})));
		chart(parent, {
			caption: `${OPS[op]}: how long calls took; a dot for each sample`,
			says: `${OPS[op]}: latency percentiles, in milliseconds; ` +
				"the table of samples has them",
			height: heightFor(rows) + 30,
		}, () => ({
			type: "scatter",
			data: { datasets: PERCENTILES.map((percentile, k) => ({
				label: percentile.name,
				data: pointsOf(k),
				radius: 4,
				pointStyle: percentile.pointStyle,
				backgroundColor: color(percentile.color, 0.5),
				borderColor: color(percentile.color),
			})) },
			options: horizontal(rows, {
				type: "logarithmic",
				title: { display: true, text: "ms, logarithmic" },
				ticks: {
					maxRotation: 0,
					autoSkipPadding: 16,
					callback: (value) => /^[125]e/.test(
						value.toExponential()) ? String(value) : "",
				},
			}, ({ dataset, raw }) => `${raw.round}, ${dataset.label}: ` +
				`${Number(raw.x.toPrecision(3))} ms`, {
				position: "bottom",
				labels: { usePointStyle: true },
			}),
		}));
	}

	const heads = ["", "Op", "Round", data.unit + "/s",
		...PERCENTILES.map(({ name }) => name + ", ms")];

	function fillSamples(table, rows) {
		const head = add(add(table, "thead"), "tr");
		heads.forEach((text, i) => {
			add(head, "th", i > 1 ? "n" : "", text).scope = "col";
		});
		const body = add(table, "tbody");
		for (const row of rows) {
			for (const [round, kb, us] of data.samples[row]) {
				if (body.rows.length === SAMPLES_MAX)
					return;
				const line = add(body, "tr");
				add(line, "th", "", titles[row]).scope = "row";
				add(line, "td", "", data.op[row]);
				add(line, "td", "n", round || "");
				add(line, "td", "n",
					typeof kb === "number" ? rate(kb) : kb);
				PERCENTILES.forEach((_, k) => add(line, "td", "n",
					us ? Number((us[k] / 1e3).toPrecision(4)) : ""));
			}
		}
	}

	function drawSamples(parent, rows) {
		const details = add(parent, "details");
		add(details, "summary", "", "Every sample of these charts");
		details.addEventListener("toggle", () => {
			const scroll = add(details, "div", "scroll");
			scroll.tabIndex = 0;
			fillSamples(add(scroll, "table"), rows);
		}, { once: true });
	}

	/* A part of the charts with a title, if anything was drawn in it. */
	function part(parent, title, className, draw) {
		const box = add(parent, "section");
		add(box, "h3", "", title);
		draw(add(box, "div", className));
		if (!box.querySelector("canvas"))
			box.remove();
	}

	const rowsOf = Object.fromEntries(Object.keys(OPS).map((op) => [op,
		[...data.op].flatMap((its, row) => its === op ? [row] : [])]));

	function drawPage(parent, number) {
		page.clear(parent);
		const each = (draw) => (box) => {
			for (const [op, rows] of Object.entries(rowsOf)) {
				const some = rows.slice(number * AT_ONCE,
					(number + 1) * AT_ONCE);
				if (some.length)
					draw(box, op, some);
			}
		};
		part(parent, "Rates", "pair", each(drawRates));
		part(parent, "Changes", "pair", each(drawChanges));
		part(parent, "Rate over time", "many", each(drawLines));
		part(parent, "Latency", "pair", each(drawLatencies));
		const shown = [];
		each((_, op, rows) => shown.push(...rows))();
		drawSamples(parent, shown.sort((a, b) => a - b));
	}

	const most = Math.max(rowsOf.W.length, rowsOf.R.length);
	const body = document.createElement("div");
	if (most > AT_ONCE)
		page.addPager(section, { most, atOnce: AT_ONCE,
			what: " writes and reads, in the order of the table" },
			(number) => drawPage(body, number));
	section.append(body);
	drawPage(body, 0);
	if (data.series_left_out)
		add(section, "p", "note", "The rates over time of " +
			`${data.series_left_out} further samples are left out, ` +
			"for this file's size.");
})();
