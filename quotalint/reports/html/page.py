"""The page around the sections: one file that loads nothing, and that the browser forbids to load anything."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from quotalint.reports.html.markup import Html, element, raw, void
from quotalint.version import __version__


def whole_page(title: str, *sections: Html) -> str:
    """The whole document."""
    style, script = _shipped_file("page.css"), _shipped_file("page.js") + _shipped_file("sliders.js")
    # Whatever a manifest might smuggle in, no other style or script takes effect, and nothing is fetched.
    policy = (
        f"default-src 'none'; style-src '{_policy_digest(style)}'; script-src '{_policy_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=policy),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("meta", name="referrer", content="no-referrer"),
        void("meta", name="generator", content=f"quotalint {__version__}"),
        element("title", title),
        element("style", raw(style)),
    )
    body = element("body", raw(_PATTERNS), *sections, element("script", raw(script)))
    return f"<!doctype html>\n{element('html', head, body, lang='en').text}\n"


@cache
def _shipped_file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8", newline="\n") as file:
        return file.read()


def _policy_digest(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _choice_field(name: str, label: str, values: Sequence[str]) -> Html:
    options = (element("option", value, value=value) for value in values)
    return element("label", f"{label} ", element("select", element("option", "all", value=True), *options, name=name))


def filter_form(environments: Sequence[str] = (), *, with_findings: bool = False) -> Html:
    """What hides a part of the page. It is of no use without the script, which shows it."""
    choices = [_choice_field("environment", "environment", environments)] if environments else []
    choices += [_choice_field("severity", "severity", ("error", "warning", "info"))] if with_findings else []
    return element(
        "form",
        element(
            "label",
            "Filter",
            void("input", type="search", name="text", placeholder="namespace, quota, resource, rule, file"),
        ),
        element("label", void("input", type="checkbox", name="failing"), " only quotas that do not fit"),
        *choices,
        element("span", "", id="shown", role="status"),
        element("button", "open all", type="button", name="open"),
        element("button", "close all", type="button", name="close"),
        id="filter",
        role="search",
        hidden=True,
    )


# Colours that are used twice are told apart by stripes; what goes beyond hard, and what may be more, has a pattern too.
_STRIPED = "".join(
    f'<pattern id="p{key + 8}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">'
    f'<rect class="k{key}" width="8" height="8"></rect><rect class="stripe" width="2" height="8"></rect></pattern>'
    for key in range(1, 5)
)
_PATTERNS = f"""\
<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
<pattern id="beyond" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
<rect width="3.5" height="7"></rect></pattern>
<pattern id="more" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1.1"></circle></pattern>
{_STRIPED}
</defs></svg>
"""
