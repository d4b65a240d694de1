import { lazyRouteComponent } from '@tanstack/react-router'
import { withinLimit } from '../lib/later.ts'

/** A page that is loaded when it is first opened; a server that hangs is not waited for without end. */
export function latePage<T extends Record<string, unknown>, K extends keyof T & string>(
  load: () => Promise<T>,
  name: K,
) {
  return lazyRouteComponent(async () => withinLimit(load()), name)
}
