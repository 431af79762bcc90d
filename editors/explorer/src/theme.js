// Light or dark: as the system says, or as somebody has chosen.

export function theme(next) {
  const root = document.documentElement;
  const known = ["light", "dark"].includes(next) ? next : "";
  if (known) root.dataset.theme = known;
  else delete root.dataset.theme;
}

export function nextTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  theme(next);
  localStorage.setItem("brook-theme", next);
}
