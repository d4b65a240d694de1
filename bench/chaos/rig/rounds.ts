/** How often a fault is caused: `CHAOS_ROUNDS=5` makes a run short. */
import { numberOf } from '../../kit/settings.ts'

export function roundsOf(usual: number): number {
  return numberOf('CHAOS_ROUNDS', usual)
}
