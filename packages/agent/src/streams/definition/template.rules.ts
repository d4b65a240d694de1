/** The transcoding templates of our channel server. Pure. */
import type { Rung } from '../../commands/channel.command.ts'

/** Null for a name that is none of ours; without a name nothing is transcoded. */
export function rungsOf(template: string | null): readonly Rung[] | null {
  return template === null ? [] : (TEMPLATES[template] ?? null)
}

/** A ladder costs a decode and an encode per rung, for each input. */
export const TEMPLATES: Readonly<Record<string, readonly Rung[]>> = {
  sd: [{ heightLines: 576, videoKbps: 1500, audioKbps: 128 }],
  hd: [{ heightLines: 720, videoKbps: 3000, audioKbps: 128 }],
  'abr-2': [
    { heightLines: 720, videoKbps: 2500, audioKbps: 128 },
    { heightLines: 360, videoKbps: 800, audioKbps: 96 },
  ],
  'abr-3': [
    { heightLines: 1080, videoKbps: 5000, audioKbps: 128 },
    { heightLines: 720, videoKbps: 2500, audioKbps: 128 },
    { heightLines: 360, videoKbps: 800, audioKbps: 96 },
  ],
}
