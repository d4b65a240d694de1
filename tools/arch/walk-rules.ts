/**
 * The walk of one click in ARCHITECTURE.md, held against the code: each step is a file that the step
 * before it reaches, by an import or through a file that joins the two. Pure.
 */
import { resolveImport } from './place.ts'
import { blankOut, importsOf, type SourceFile } from './source.ts'

const HEADING = /^## The walk of one click/m
/** 3. `api/src/a.ts` (2, `name`, by `api/src/b.ts`): what it does. The first step has no brackets. */
const STEP =
  /^(?<number>\d+)\. `(?<file>[^`]+)`(?: \((?<from>\d+)(?:, `(?<name>\w+)`)?(?:, by `(?<joint>[^`]+)`)?\))?: /
/** As many as a reader keeps in mind. */
const MOST_FILES = 22

interface Step {
  readonly number: number
  readonly path: string
  /** The step that leads here; null for the first. */
  readonly from: number | null
  /** What both files call it; '' when they meet only in `joint`. */
  readonly name: string
  /** The path of the file that joins them; '' where one imports the other. */
  readonly joint: string
}

/** The files of the walk, each once. */
export function filesOfWalk(document: string): string[] {
  return [...new Set(stepsOf(document).map(({ path }) => path))]
}

/** One line per fault. */
export function checkWalk(document: string, files: readonly SourceFile[]): string[] {
  const steps = stepsOf(document)
  const written = sectionOf(document).filter((line) => /^\d+\./.test(line)).length
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const faults = steps.flatMap((step, index) => stepFaults(step, steps.slice(0, index), texts))
  if (written === 0 || written !== steps.length) {
    faults.push(`${written - steps.length} of ${written} steps of the walk cannot be read`)
  }
  const count = filesOfWalk(document).length
  if (count > MOST_FILES) faults.push(`the walk has ${count} files, more than ${MOST_FILES}`)
  return faults
}

function sectionOf(document: string): string[] {
  const [, after = ''] = document.split(HEADING)
  return (after.split(/^## /m)[0] ?? '').split('\n')
}

function stepsOf(document: string): Step[] {
  return sectionOf(document).flatMap((line) => {
    const groups = STEP.exec(line)?.groups
    if (groups === undefined) return []
    const { number, file, from, name = '', joint = '' } = groups
    return {
      number: Number(number),
      path: `packages/${file}`,
      from: from === undefined ? null : Number(from),
      name,
      joint: joint === '' ? '' : `packages/${joint}`,
    }
  })
}

function stepFaults(
  step: Step,
  before: readonly Step[],
  texts: ReadonlyMap<string, string>,
): string[] {
  const { number, path, from, name, joint } = step
  const label = `step ${number} (${path})`
  if (number !== before.length + 1) return [`${label} is not numbered in order`]
  const missing = [path, joint].filter((file) => file !== '' && !texts.has(file))
  if (missing.length > 0) return missing.map((file) => `${label}: there is no ${file}`)
  if (before.length === 0) return from === null ? [] : [`${label} is the first and comes from none`]
  const leading = before.find((each) => each.number === from)
  if (leading === undefined) return [`${label} does not name a step before it`]
  const isJoined = (a: string, b: string) => isLinked(a, b, texts)
  const isReached =
    joint === ''
      ? isJoined(leading.path, path)
      : isJoined(leading.path, joint) && isJoined(joint, path)
  const faults = isReached ? [] : [`${label} is not reached from ${leading.path}`]
  if (name === '' && joint === '') faults.push(`${label} does not name what leads to it`)
  if (name !== '' && !isNamedIn([leading.path, path], name, texts)) {
    faults.push(`${label} and ${leading.path} do not both name ${name}`)
  }
  return faults
}

/** Whether either imports the other. */
function isLinked(a: string, b: string, texts: ReadonlyMap<string, string>): boolean {
  const imports = (from: string, to: string) =>
    importsOf(texts.get(from) ?? '').some((specifier) => resolveImport(from, specifier) === to)
  return imports(a, b) || imports(b, a)
}

function isNamedIn(
  paths: readonly string[],
  name: string,
  texts: ReadonlyMap<string, string>,
): boolean {
  const word = new RegExp(`\\b${name}\\b`)
  return paths.every((path) => word.test(blankOut(texts.get(path) ?? '', 'comments and strings')))
}
