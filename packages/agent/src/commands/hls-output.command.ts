/**
 * What the packager of an input writes: HLS as it came, or a ladder of renditions. Every rendition is
 * a playlist `v<rung>.m3u8` with segments `v<rung>-<number>.ts`, and always has the picture and the
 * sound of the input, so far as it has them: a stream of sound alone is one too.
 */
import { options } from './option.command.ts'

/** One picture size of a transcoding template. Rates: kbit/s. */
export interface Rung {
  heightLines: number
  videoKbps: number
  audioKbps: number
}

/** How an input is cut into segments. Without rungs the picture is passed on as it came. */
export interface Packaging {
  segmentMs: number
  playlistSegments: number
  rungs: readonly Rung[]
}

/** Segments stay on disk for so long after they left the playlist: a slow player still asks for them. */
const SPARE_MS = 20_000
/**
 * A segment ends at the first key frame after a multiple of this share of the length asked for. Key
 * frames come a little sooner than asked (24 pictures at 25 a second are 0.96 s): cut at multiples
 * of the full length, every 24th segment would be twice as long, and a player near the edge stands.
 */
const CUT_SHARE = 0.95
/** Every browser plays AAC; of a passed-on picture the sound is made so too. */
const COPY_AUDIO_KBPS = 128
/** A key frame comes with every segment; this many frames only bound what goes wrong there. */
const LONGEST_GOP_FRAMES = 600
/**
 * Microseconds that pictures wait for their sound to be written, and the other way round. Sound that
 * stops would otherwise hold the picture up for ffmpeg's ten seconds, and leave it as late for ever;
 * senders put less than a second between the two.
 */
export const together = { max_interleave_delta: 2_000_000 }
/** An object of options names each but once. */
const PICTURE_AND_SOUND = ['-map', '0:v:0?', '-map', '0:a:0?']

export function hlsOutput(folder: string, packaging: Packaging): string[] {
  const { rungs } = packaging
  const [first] = rungs
  if (first === undefined) {
    return [...passedOn(), ...direct(folder, packaging)]
  }
  const encoded = [...rungs.flatMap(() => PICTURE_AND_SOUND), ...encoders(packaging)]
  if (rungs.length === 1) return [...encoded, ...direct(folder, packaging)]
  // One muxer opens all playlists in one go: a segment has the same number in each of them, which
  // separate outputs do not promise, since each begins to count at its own second of the clock.
  const branches = rungs.map((_, at) => teeBranch(folder, at, packaging))
  return [...encoded, ...options({ ...together, f: 'tee' }), branches.join('|')]
}

/** The first picture as it came, the first sound as AAC; a stream may have but one of them. */
export function passedOn(): string[] {
  return [
    ...PICTURE_AND_SOUND,
    ...options({ 'c:v': 'copy', 'c:a': 'aac', 'b:a': `${COPY_AUDIO_KBPS}k` }),
  ]
}

/** The input is decoded once, however many rungs there are. */
function encoders({ rungs, segmentMs }: Packaging): string[] {
  const common = options({
    'c:v': 'libx264',
    'preset:v': 'veryfast',
    // No frames are held back; the picture is for watching live.
    'tune:v': 'zerolatency',
    'profile:v': 'high',
    'g:v': LONGEST_GOP_FRAMES,
    'force_key_frames:v': `expr:gte(t,n_forced*${segmentMs / 1000})`,
    'c:a': 'aac',
  })
  return [...common, ...rungs.flatMap(rungOptions)]
}

function rungOptions({ heightLines, videoKbps, audioKbps }: Rung, at: number): string[] {
  return options({
    [`filter:v:${at}`]: pictureFilter(heightLines),
    [`b:v:${at}`]: `${videoKbps}k`,
    [`maxrate:v:${at}`]: `${videoKbps}k`,
    [`bufsize:v:${at}`]: `${videoKbps * 2}k`,
    [`b:a:${at}`]: `${audioKbps}k`,
  })
}

/** Only what is marked as interlaced is deinterlaced. Never larger than it came; 4:2:0 wants even sizes. */
function pictureFilter(heightLines: number): string {
  const height = `2*trunc(min(ih,${heightLines})/2)`
  return `bwdif=mode=send_frame:deint=interlaced,scale=w=-2:h='${height}',format=yuv420p`
}

function direct(folder: string, packaging: Packaging): string[] {
  const { playlist, settings } = rendition(folder, 0, packaging)
  return [...options({ f: 'hls', ...settings }), playlist]
}

function teeBranch(folder: string, at: number, packaging: Packaging): string {
  const { playlist, settings } = rendition(folder, at, packaging)
  const pairs = Object.entries({ f: 'hls', select: `v:${at},a:${at}`, ...settings })
  const text = pairs.map(([name, value]) => `${name}=${escaped(`${value}`)}`).join(':')
  return escaped(`[${text}]`, UNLESS_BRANCH) + escaped(playlist)
}

/** Read once as a branch, and once more as an option of it. */
const UNLESS_BRANCH = /[\\'|]/g
const SPECIAL = /[\\'|[\]: ]/g

function escaped(text: string, special = SPECIAL): string {
  return text.replace(special, String.raw`\$&`)
}

function rendition(folder: string, at: number, { segmentMs, playlistSegments }: Packaging) {
  return {
    playlist: `${folder}/v${at}.m3u8`,
    settings: {
      ...together,
      hls_time: (segmentMs * CUT_SHARE) / 1000,
      hls_list_size: playlistSegments,
      hls_delete_threshold: Math.ceil(SPARE_MS / segmentMs),
      hls_start_number_source: 'epoch',
      hls_flags:
        'delete_segments+program_date_time+independent_segments+temp_file+omit_endlist+discont_start',
      // A percent sign of the folder's own is no number's place.
      hls_segment_filename: `${folder.replaceAll('%', '%%')}/v${at}-%05d.ts`,
    },
  }
}
