/**
 * How large a bench is: its own size, or what the environment asks for, such as `BENCH_ROUNDS=2`. Only
 * a run at the bench's own size says whether a goal is met.
 */
export function settingOf(name: string, usual: number): number {
  return numberOf(`BENCH_${name}`, usual)
}

/** `name`: of the variable, such as 'CHAOS_ROUNDS'. Throws a sentence when it is no number above 0. */
export function numberOf(name: string, usual: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return usual
  const asked = Number(text)
  if (!Number.isFinite(asked) || asked <= 0) {
    throw new Error(`${name} must be a number above 0, not '${text}'.`)
  }
  return asked
}
