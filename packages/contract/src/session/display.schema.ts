/** How a person reads the console: kept with the account, and so the same on every machine (ADR 0076). */
import { z } from 'zod'
import { LANGUAGES } from './language.rules.ts'

export const TIMES = ['utc', 'local'] as const
export type Times = (typeof TIMES)[number]

/** Null: as the browser has it. */
export const ChosenLanguage = z.enum(LANGUAGES).nullable()
/** Null: as the browser has it. */
export const ChosenTimes = z.enum(TIMES).nullable()
