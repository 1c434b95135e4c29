// Measures the width of a part, for drawings in pixels.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * A ref for the part, and its width in whole pixels, also after a change; `before` is the width until it is measured.
 */
export function useWidth<T extends Element>(before: number): readonly [RefObject<T | null>, number] {
  const part = useRef<T>(null);
  const [width, setWidth] = useState(before);
  useLayoutEffect(() => {
    const { current } = part;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(current.getBoundingClientRect().width) || before));
    observer.observe(current);
    return () => observer.disconnect();
  }, [before]);
  return [part, width];
}
