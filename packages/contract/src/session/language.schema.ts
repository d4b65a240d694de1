/** A language as it is stored and sent; English where none is named. */
import { z } from 'zod'
import { LANGUAGES } from './language.rules.ts'

export const Language = z.enum(LANGUAGES).default('en')
