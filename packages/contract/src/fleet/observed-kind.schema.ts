/** Kinds of objects whose state is observed: of these there are events and alarms. */
import { z } from 'zod'

export const ObservedKind = z.enum(['encoder', 'feeder', 'input', 'output', 'channel', 'server'])
export type ObservedKind = z.infer<typeof ObservedKind>
