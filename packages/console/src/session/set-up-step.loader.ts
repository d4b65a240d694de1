import { later } from '../lib/later.ts'

export const SET_UP_STEP = later(
  'set-up of a second factor',
  async () => (await import('./SetUpStep.tsx')).SetUpStep,
)
