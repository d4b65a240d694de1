/** Whether the tools that the agent starts are on this host, and in which version. */
import { note, ok, wrong, type Finding } from '@trunkline/contract/doctor/finding.rules'
import type { AskTool } from '../host/tool-answers.ts'
import { findFont, toolVersions, usefulEncoders } from '../host/tools.ts'

/** Each tool with the Debian package that has it. */
const PACKAGES: Readonly<Record<string, string>> = {
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  'srt-live-transmit': 'srt-tools',
  ristsender: 'rist-tools',
  ristreceiver: 'rist-tools',
  supervisord: 'supervisor',
  setpriv: 'util-linux',
}

export interface FoundTools {
  /** Tool name to version; a tool that is not there is left out. */
  versions: Readonly<Record<string, string>>
  /** Of its ffmpeg. */
  encoders: readonly string[]
  /** '' when there is none. */
  fontFile: string
}

export async function findTools(ask: AskTool): Promise<FoundTools> {
  const [media, supervisord, setpriv, encoders, fontFile] = await Promise.all([
    toolVersions(ask),
    ask('supervisord', ['--version']),
    ask('setpriv', ['--version']),
    usefulEncoders(ask),
    findFont(ask),
  ])
  const others = { supervisord: versionIn(supervisord), setpriv: versionIn(setpriv) }
  const found = Object.entries(others).filter(([, version]) => version !== '')
  return { versions: { ...media, ...Object.fromEntries(found) }, encoders, fontFile }
}

export function toolFindings({ versions, encoders, fontFile }: FoundTools): Finding[] {
  const tools = Object.entries(PACKAGES).map(([tool, name]) => {
    const version = versions[tool]
    return version === undefined
      ? wrong(`${tool} is missing on this host.`, `apt-get install ${name}`)
      : ok(`${tool} ${version}`)
  })
  return [...tools, ...encoderFindings(versions, encoders), ...fontFindings(fontFile)]
}

function encoderFindings(versions: FoundTools['versions'], encoders: readonly string[]): Finding[] {
  if (versions['ffmpeg'] === undefined || encoders.includes('libx264')) return []
  return [
    wrong(
      'The ffmpeg of this host has no libx264: encoders and channels cannot run here.',
      'apt-get install --reinstall ffmpeg, and remove another ffmpeg that stands before it in PATH',
    ),
  ]
}

function fontFindings(fontFile: string): Finding[] {
  if (fontFile !== '') return []
  return [
    note(
      'There is no font on this host: test patterns cannot be used as sources.',
      'apt-get install fonts-dejavu-core',
    ),
  ]
}

/** '4.2.5', 'setpriv from util-linux 2.38.1'. */
function versionIn(answer: string): string {
  return /\d+(?:\.\d+)+/.exec(answer)?.[0] ?? ''
}
