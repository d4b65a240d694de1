/** Which media tools this host has, in which version, and what its ffmpeg can encode. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { toolEnvironment } from '../config.ts'
import type { AskTool } from './tool-answers.ts'

const run = promisify(execFile)
const LIMIT_MS = 10_000

/** The tool, how to ask it, and where in its answer the version stands. */
const TOOLS: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['ffmpeg', ['-hide_banner', '-version'], /ffmpeg version (\S+)/],
  ['ffprobe', ['-hide_banner', '-version'], /ffprobe version (\S+)/],
  ['srt-live-transmit', ['-version'], /SRT Library version: ([\d.]+)/],
  ['ristsender', ['-h'], /version: ?([\d.]+)/],
  ['ristreceiver', ['-h'], /version: ?([\d.]+)/],
]
const ENCODERS = ['libx264', 'libtwolame', 'mp2', 'aac', 'libfdk_aac']
const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf'

/** Tool name to version; a tool that is not there is left out. */
export async function toolVersions(ask: AskTool): Promise<Record<string, string>> {
  const found = await Promise.all(
    TOOLS.map(async ([tool, args, pattern]) => {
      const version = pattern.exec(await ask(tool, args))?.[1]
      return version === undefined ? [] : [[tool, version] as const]
    }),
  )
  return Object.fromEntries(found.flat())
}

/** Those encoders of its ffmpeg that our commands use. */
export async function usefulEncoders(ask: AskTool): Promise<string[]> {
  const listed = await ask('ffmpeg', ['-hide_banner', '-encoders'])
  const names = new Set(listed.split('\n').map((line) => line.trim().split(/\s+/)[1]))
  return ENCODERS.filter((name) => names.has(name))
}

/** The devices that its ffmpeg can read from, by all their names: lavfi, v4l2, decklink … */
export async function inputDevices(ask: AskTool): Promise<string[]> {
  const listed = await ask('ffmpeg', ['-hide_banner', '-devices'])
  return listed.split('\n').flatMap((line) => {
    // ` D  video4linux2,v4l2 Video4Linux2 device grab`; E stands for those that it writes to.
    const [, names] = /^ D[E ] +(\S+)/.exec(line) ?? []
    return names?.split(',') ?? []
  })
}

/** A TrueType file for the burnt-in clock; '' when there is none. */
export async function findFont(ask: AskTool): Promise<string> {
  if (existsSync(FONT)) return FONT
  const found = (await ask('fc-match', ['-f', '%{file}', 'monospace'])).trim()
  return /^\/[A-Za-z0-9/._-]+$/.test(found) ? found : ''
}

/** What it prints, wherever; '' when it cannot be run. Some answer a plain question with code 1. */
export async function outputOf(tool: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(tool, [...args], {
      env: toolEnvironment(),
      timeout: LIMIT_MS,
      maxBuffer: 4_000_000,
    })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return stdout + stderr
  }
}
