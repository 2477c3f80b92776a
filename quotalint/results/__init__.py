"""From hits to findings: grouped, merged, with severity, words and lines."""
