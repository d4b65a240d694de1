/**
 * How the tools speak while they work: whole lines, so that a log file reads as well as a terminal.
 */
import { spawn } from 'node:child_process'

/** A progress line; long jobs print it again after this time, with what they are at. */
const HEARTBEAT_MS = 5000
/** Output kept of a job that fails, in lines. */
const KEPT_LINES = 60

/** @type {NodeJS.WritableStream} */
let out = process.stdout

/**
 * For a tool whose stdout is data that another program reads.
 * @param {NodeJS.WritableStream} stream
 */
export function sayTo(stream) {
  out = stream
}

/** @param {string} line */
export function say(line) {
  out.write(`${line}\n`)
}

/**
 * Runs a job whose output only matters when it fails, and tells every few seconds where it is.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, label: string }} options
 * @returns {Promise<void>} rejects with the last lines of the output when the job fails
 */
export function runQuietly(command, args, { cwd, env, label }) {
  const started = Date.now()
  /** @type {string[]} */
  const lines = []
  let shown = ''
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      for (const line of chunk.toString().split(/[\r\n]+/)) {
        if (line.trim() !== '') lines.push(line.trimEnd())
      }
      lines.splice(0, Math.max(0, lines.length - KEPT_LINES))
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const heartbeat = setInterval(() => {
      const at = lines.at(-1) ?? ''
      const seconds = Math.round((Date.now() - started) / 1000)
      say(`  ${label}: ${seconds} s${at === shown ? '' : `, ${at.slice(0, 100)}`}`)
      shown = at
    }, HEARTBEAT_MS)
    child.on('error', (error) => {
      clearInterval(heartbeat)
      reject(new Error(`${command} could not be started: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      clearInterval(heartbeat)
      if (code === 0) return resolve()
      const how = signal === null ? `with code ${code}` : `by ${signal}`
      reject(new Error(`${label} ended ${how}:\n${lines.map((line) => `  ${line}`).join('\n')}`))
    })
  })
}
