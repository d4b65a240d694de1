/** Whether browsers can show what is passed on as it came. Pure. */
import type { MediaTrack } from '@trunkline/contract/channels/stream.schema'

/** As tracks name them. No browser plays any other from a transport stream. */
const PLAYABLE = 'h264'
/** Where the system has a decoder for it: Safari, others on some hardware only. */
const SOMETIMES = 'hevc'
/** As operators know them, where that is not the name in capitals. */
const NAMES: Readonly<Record<string, string>> = {
  mp2v: 'MPEG-2',
  mpeg1video: 'MPEG-1',
  mpeg4: 'MPEG-4 Visual',
  vc1: 'VC-1',
}

/** An answer's field with the cause and what to do, none when there is nothing to say. */
export function unplayable(tracks: readonly MediaTrack[]): { unplayable?: string } {
  const codec = tracks.find((track) => track.content === 'video')?.codec ?? PLAYABLE
  if (codec === PLAYABLE) return {}
  const name = NAMES[codec] ?? codec.toUpperCase()
  const who = codec === SOMETIMES ? 'many browsers' : 'browsers'
  return { unplayable: `The picture is ${name}, which ${who} cannot play. Choose a template.` }
}
