/** Where the time of a run went. Pure. */

/**
 * @typedef {{ kind: string, file: string, durationMs: number }} TimedFile
 */

/** So many files are named. */
const MOST = 10

/**
 * @param {readonly TimedFile[]} files
 * @returns {string[]} the slowest, slowest first
 */
export function slowestLines(files) {
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, MOST)
  return slowest.map(({ kind, file, durationMs }) => `  ${seconds(durationMs)}  ${kind}  ${file}`)
}

/**
 * @param {readonly { name: string, durationMs: number }[]} kinds
 * @returns {string[]}
 */
export function timeLines(kinds) {
  return kinds.map(({ name, durationMs }) => `  ${seconds(durationMs)}  ${name}`)
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`
}
