// The page's clock stands still, so that a seed always leads to the same. Imported before anything remembers what Date is.

export const NOW = Date.UTC(2026, 10, 20, 18);

Date.now = () => NOW;
