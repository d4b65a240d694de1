/** What follows the password of some: most people never see it. */
import { later } from '../lib/later.ts'

export const SECOND_STEP = later(
  'second step of sign-in',
  async () => (await import('./SecondStep.tsx')).SecondStep,
)

export const SET_UP_STEP = later(
  'set-up of a second factor',
  async () => (await import('./SetUpStep.tsx')).SetUpStep,
)
