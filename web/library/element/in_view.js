// Lazy reading: tells elements when they come into view, and when they have been out of view for a while, because an element out of view need not
// read.

/** Elements that are this near to the view count as in it. */
const NEAR = '50%';
/** How long an element that has left the view still counts as in it. */
const LEAVE_MS = 30_000;

/** @type {WeakMap<Element, (isInView: boolean) => void>} */
const listeners = new WeakMap();
/** @type {IntersectionObserver | undefined} */
let observer;

/**
 * @param {Element} element
 * @param {(isInView: boolean) => void} tell Told true first when the element comes into view. An element that has no box is taken for one in view, because no browser tells
 *   when it gets one.
 * @param {AbortSignal} signal Ends it.
 */
export function observeView(element, tell, signal) {
  if (typeof IntersectionObserver !== 'function') return tell(true);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  listeners.set(element, (isInView) => {
    clearTimeout(timer);
    if (isInView) tell(true);
    else timer = setTimeout(() => tell(false), LEAVE_MS);
  });
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect: { width, height, top, left } } of entries) {
      listeners.get(target)?.(isIntersecting || [width, height, top, left].every((length) => length === 0));
    }
  }, { rootMargin: NEAR });
  observer.observe(element);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    observer?.unobserve(element);
    listeners.delete(element);
  }, { once: true });
}
