/**
 * Tells how wide a picture is, at once and whenever that changes, for pictures that are laid out in pixels.
 * @param {HTMLElement} element
 * @param {(width: number) => void} onWidth
 */
export function followWidth(element, onWidth) {
  let last = 0;
  new ResizeObserver(() => {
    const width = Math.round(element.clientWidth);
    if (width === 0 || width === last) return;
    last = width;
    onWidth(width);
  }).observe(element);
}
