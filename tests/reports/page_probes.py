"""Scripts that look at a page as a reader does: colours, neighbours, what lies on what."""

from __future__ import annotations

_LIGHT = """
    const channels = (color) => {
        const parts = color.match(/[\\d.]+/g).map(Number);
        return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
    };
    const light = (rgb) => {
        const linear = (one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
        const [r, g, b] = rgb.map((one) => linear(one / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, other) => {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
"""

# Text against the nearest background behind it; the number in a bar against the colour of its part, which surrounds it.
CONTRASTS = f"""(() => {{
    {_LIGHT}
    const behind = (element) => {{
        for (let at = element; at; at = at.parentElement) {{
            const found = channels(getComputedStyle(at).backgroundColor);
            if (found.alpha === 1) return found.rgb;
        }}
        return [255, 255, 255];
    }};
    return [...document.body.querySelectorAll("*")]
        .filter((one) => !one.closest("script, defs, .unseen, title") && one.checkVisibility())
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
        .map((one) => {{
            const style = getComputedStyle(one);
            const isSvg = one instanceof SVGElement;
            const ink = channels(isSvg ? style.fill : style.color).rgb;
            const paper = isSvg ? channels(style.stroke).rgb : behind(one);
            const text = one.textContent.slice(0, 40);
            return {{ text, class: String(one.getAttribute("class")), ratio: ratio(ink, paper) }};
        }});
}})()"""

NEIGHBOURS = f"""(() => {{
    {_LIGHT}
    const colour = (number) => {{
        const one = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        one.setAttribute("class", `k${{number}}`);
        document.querySelector(".bar").append(one);
        const found = channels(getComputedStyle(one).fill).rgb;
        one.remove();
        return found;
    }};
    return [1, 2, 3, 4, 5, 6, 7].map((one) => ratio(colour(one), colour(one + 1)));
}})()"""

# Lines of text that cross; what is in one line of the source but laid out over another.
OVERLAPPING = """(() => {
    const boxes = [...document.querySelectorAll("main *, header *, #filter *")]
        .filter((one) => !one.closest("svg, .unseen, .reason") && one.checkVisibility())
        .flatMap((one) => [...one.childNodes])
        .filter((node) => node.nodeType === 3 && node.data.trim())
        .flatMap((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return [...range.getClientRects()].map((box) => ({ box, text: node.data.trim().slice(0, 40) }));
        })
        .sort((one, other) => one.box.top - other.box.top);
    const crossing = [];
    boxes.forEach((one, number) => {
        for (let at = number + 1; at < boxes.length && boxes[at].box.top < one.box.bottom - 4; at += 1) {
            const other = boxes[at].box;
            const across = Math.min(one.box.right, other.right) - Math.max(one.box.left, other.left);
            if (across > 1) crossing.push([one.text, boxes[at].text]);
        }
    });
    return crossing;
})()"""
