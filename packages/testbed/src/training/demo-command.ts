/** `npx trunkline demo`: causes and heals breaks on a training site that runs. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaultTrainingDir } from './training-folder.ts'
import { askTraining, type TrainingAnswer } from './training-control.ts'
import { storedTrainingPlan } from './training-plan.ts'

const USAGE =
  'Use: npx trunkline demo, npx trunkline demo break <what>, or npx trunkline demo heal [<what>].'

/** `args`: what stands behind `demo`. Answers the exit code: 0, or 1 with a sentence on stderr. */
export async function runDemoCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  try {
    process.stdout.write(
      await answerTo(args, resolve(env['TRUNKLINE_DATA_DIR'] || defaultTrainingDir())),
    )
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

async function answerTo(args: readonly string[], dataDir: string): Promise<string> {
  const [verb = 'list', name = '', ...more] = args
  if (more.length > 0 || (verb === 'list' && args.length > 0)) throw new Error(USAGE)
  if (verb !== 'list' && verb !== 'break' && verb !== 'heal') throw new Error(USAGE)
  assertTraining(dataDir)
  if (verb === 'break' && name === '') {
    const { breaks } = await askTraining(dataDir, { ask: 'list', name: '' })
    throw new Error(`Name what to break: ${breaks.map((each) => each.name).join(', ')}.`)
  }
  const answer = await askTraining(dataDir, { ask: verb, name })
  if (answer.error !== '') throw new Error(answer.error)
  return verb === 'list'
    ? listText(answer)
    : `${answer.sentences.join('\n')}\n${hintOf(verb, name)}`
}

/** Never on a real site: only a folder that was loaded as a training site has that file. */
function assertTraining(dataDir: string): void {
  if (!existsSync(dataDir)) {
    throw new Error(
      `There is no training site in ${dataDir}. Start one with TRUNKLINE_DEMO=fleet npm start, or name its folder in TRUNKLINE_DATA_DIR.`,
    )
  }
  if (storedTrainingPlan(dataDir) !== null) return
  throw new Error(
    `${dataDir} does not hold a training site, and nothing is broken on any other site. Name the folder of a training site in TRUNKLINE_DATA_DIR.`,
  )
}

function hintOf(verb: 'break' | 'heal', name: string): string {
  return verb === 'break' ? `Repair it in the console, or: npx trunkline demo heal ${name}\n` : ''
}

function listText({ breaks }: TrainingAnswer): string {
  const width = Math.max(...breaks.map(({ name }) => name.length)) + 2
  const broken = breaks.filter(({ since }) => since !== null)
  const well = breaks.filter(({ since }) => since === null)
  const line = (name: string, words: string) => `  ${name.padEnd(width)}${words}\n`
  const ofBroken = broken.map(({ name, sentence, since }) =>
    line(name, `${sentence} Since ${clock(since ?? '')}.`),
  )
  const ofWell = well.map(({ name, sentence }) => line(name, sentence))
  return [
    broken.length === 0 ? 'Nothing is broken.\n' : 'Broken now:\n',
    ...ofBroken,
    ...(well.length === 0 ? [] : ['What can be broken, and what is wrong then:\n', ...ofWell]),
    `${USAGE}\n`,
  ].join('')
}

/** '2026-01-02T03:04:05.678Z' as '03:04:05 UTC'. */
function clock(iso: string): string {
  return `${iso.slice(11, 19)} UTC`
}
