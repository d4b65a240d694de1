/**
 * Kinds of objects whose state is observed: of these there are events and alarms. Of the console itself
 * there are alarms alone; its parts are in alarms/console-parts.ts.
 */
import { z } from 'zod'

export const ObservedKind = z.enum([
  'encoder',
  'feeder',
  'input',
  'output',
  'channel',
  'server',
  'console',
])
export type ObservedKind = z.infer<typeof ObservedKind>

/** Kinds of objects of the site: all but the console itself. */
export const SiteKind = ObservedKind.exclude(['console'])
export type SiteKind = z.infer<typeof SiteKind>
