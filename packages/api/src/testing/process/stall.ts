/** Holds this process up, as work of its own or a machine that is too busy does. */
export function stall(durationMs: number): void {
  const untilMs = performance.now() + durationMs
  while (performance.now() < untilMs) continue
}
