// Stops the page's clock, so that a seed always leads to the same run. It must be imported before any code keeps a reference to Date.

export const NOW = Date.UTC(2026, 10, 20, 18);

Date.now = () => NOW;
