/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - what pages share: their data, elements that are made of text and
 * never of markup, and charts that follow the colour scheme and are light on
 * paper.
 */
"use strict";

const page = (() => {
	const data = JSON.parse(document.getElementById("data").textContent);
	const root = document.documentElement;
	const drawn = []; /* { canvas, make, chart } */

	/* A new element at the end of `parent`. */
	function add(parent, tag, className, text) {
		const element = document.createElement(tag);
		if (className)
			element.className = className;
		if (text !== undefined)
			element.textContent = text;
		parent.append(element);
		return element;
	}

	/* A colour of the style sheet, as "#rrggbb", or with an opacity. */
	function color(name, opacity = 1) {
		const hex = getComputedStyle(root)
			.getPropertyValue("--" + name).trim();
		const alpha = Math.round(opacity * 255);
		return hex + alpha.toString(16).padStart(2, "0");
	}

	/* In the page's unit. */
	function inUnit(kbPerS) {
		return kbPerS * 1024 / data.unit_bytes;
	}

	/* As the tables have it: three digits at least. */
	function rate(kbPerS) {
		const value = inUnit(kbPerS);
		let digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
		for (let at = value; at > 0 && at < 0.9995 && digits < 9;
			at *= 10)
			digits++;
		return value.toLocaleString("en-US", {
			minimumFractionDigits: digits,
			maximumFractionDigits: digits,
		});
	}

	/* The middle of long text goes. */
	function shorten(text, most) {
		if (text.length <= most)
			return text;
		const head = Math.ceil((most - 1) / 2);
		return text.slice(0, head) + "\u2026" +
			text.slice(text.length - (most - 1 - head));
	}

	function draw(entry) {
		entry.chart?.destroy();
		Chart.defaults.color = color("muted");
		Chart.defaults.borderColor = color("line");
		Chart.defaults.font.family = getComputedStyle(root).fontFamily;
		Chart.defaults.font.size = 13;
		const config = entry.make();
		config.options = {
			animation: false,
			responsive: true,
			maintainAspectRatio: false,
			devicePixelRatio: Math.max(2, devicePixelRatio),
			...config.options,
		};
		entry.chart = new Chart(entry.canvas, config);
	}

	/*
	 * A figure with a caption and a chart `height` pixels high; `says` is
	 * for those who cannot see it. `make` is called whenever the colours
	 * have changed.
	 */
	function chart(parent, { caption, says, height }, make) {
		const figure = add(parent, "figure", "chart");
		add(figure, "figcaption", "", caption);
		const box = add(figure, "div", "canvas");
		box.style.height = height + "px";
		const canvas = add(box, "canvas", "", says);
		canvas.setAttribute("role", "img");
		canvas.setAttribute("aria-label", says);
		const entry = { canvas, make };
		drawn.push(entry);
		draw(entry);
	}

	/* Take away everything that is in `element`, charts included. */
	function clear(element) {
		for (const entry of drawn.splice(0)) {
			if (element.contains(entry.canvas))
				entry.chart.destroy();
			else
				drawn.push(entry);
		}
		element.replaceChildren();
	}

	/* Axis of values, in the unit. */
	function rateAxis(options) {
		return {
			beginAtZero: true,
			title: { display: true, text: data.unit + "/s" },
			ticks: { maxRotation: 0, autoSkipPadding: 16 },
			...options,
		};
	}

	/* A linear axis whose whole numbers have names, from the top down. */
	function nameAxis(names, options) {
		return {
			type: "linear",
			min: -0.5,
			max: names.length - 0.5,
			reverse: true,
			grid: { display: false },
			afterBuildTicks(axis) {
				axis.ticks = names.map((_, value) => ({ value }));
			},
			ticks: {
				autoSkip: false,
				color: color("text"),
				callback(value) {
					const most = this.chart.width / 20;
					return shorten(names[value] ?? "",
						Math.max(12, Math.floor(most)));
				},
			},
			...options,
		};
	}

	/* Which rows are in the charts, where they are too many for one look. */
	function addPager(parent, { most, atOnce, what }, turn) {
		const line = add(parent, "p", "pager");
		const label = add(line, "label", "", "Rows ");
		const select = add(label, "select");
		for (let i = 0; i * atOnce < most; i++) {
			const last = Math.min((i + 1) * atOnce, most);
			add(select, "option", "", `${i * atOnce + 1} to ${last}`);
		}
		add(line, "span", "", ` of ${most}${what}`);
		select.addEventListener("change", () => turn(select.selectedIndex));
	}

	const redraw = () => drawn.forEach(draw);
	matchMedia("(prefers-color-scheme: dark)")
		.addEventListener("change", redraw);
	addEventListener("beforeprint", () => {
		root.dataset.paper = "";
		redraw();
	});
	addEventListener("afterprint", () => {
		delete root.dataset.paper;
		redraw();
	});

	return {
		data, add, color, inUnit, rate, chart, clear, rateAxis, nameAxis,
		addPager,
	};
})();
