/** How a host itself is, beside its programs. */
import { z } from 'zod'

/** low: below 5 % or 1 GB. full: nothing can be written any more. */
export const DiskState = z.enum(['ok', 'low', 'full'])
export type DiskState = z.infer<typeof DiskState>

export const HostHealth = z.object({
  /** That of the agent's data folder: settings, logs, and the segments of a channel server. */
  disk: z.object({
    path: z.string(),
    freeBytes: z.number(),
    totalBytes: z.number(),
    /** A newer agent may know more states: 'ok' then, so that nothing false is claimed of the disk. */
    state: DiskState.catch('ok'),
    /** The host cannot read its sizes: `state` is 'full', the sizes are the last ones, or 0. */
    unreadable: z.boolean().optional(),
  }),
  /** supervisord has answered nothing for some seconds: programs run on, and no command is taken. */
  supervisorSilent: z.boolean().optional(),
  /** supervisord ended, or was reloaded, and not all programs that ended with it run again. */
  supervisorLost: z.boolean().optional(),
  /** Every user of the host can read the command lines of its media tools, and the passphrases there. */
  commandLinesReadable: z.boolean().optional(),
})
export type HostHealth = z.infer<typeof HostHealth>
