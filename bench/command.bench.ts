/** From the click on Start, Stop and Restart to the confirmed state on the screen, beside supervisord alone. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openBareProgram } from './kit/bare-program.ts'
import { openBenchSite, openBrowser, signIn } from './kit/site.ts'
import { watchLoop } from './kit/event-loop.ts'
import { atMost, percentile, printFigure, round } from './kit/figure.ts'

const ROUNDS = 10
const COMMANDS = ['stop', 'start', 'restart'] as const
type Command = (typeof COMMANDS)[number]
const CONFIRMED: Record<Command, string> = { stop: 'Stopped', start: 'Running', restart: 'Running' }

await using site = await openBenchSite()
await site.picture()
const agentDir = join(site.dataDir, 'agent')
await using bare = await openBareProgram(agentDir, encoderProgram())
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, site)
  await page.getByRole('article', { name: /Demo camera/ }).waitFor()
  const loop = await watchLoop(site.api)
  const ours = noFigures()
  const limit = noFigures()
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    ours.stop.push(await clickToScreen(page, 'stop'))
    // The two never run at once: both would send to the same address.
    limit.start.push(await bare.start())
    limit.restart.push(await bare.restart())
    limit.stop.push(await bare.stop())
    ours.start.push(await clickToScreen(page, 'start'))
    ours.restart.push(await clickToScreen(page, 'restart'))
  }
  printFigure({
    bench: 'command',
    rounds: ROUNDS,
    ours: { clickToScreenMs: summary(ours), onTopMs: onTop(ours, limit) },
    limit: { supervisordAloneMs: summary(limit) },
    goals: [
      ...COMMANDS.map((command) =>
        atMost(
          `${command} p95, on top of supervisord's`,
          onTop(ours, limit)[command].p95,
          100,
          'ms',
        ),
      ),
      await loop.goal(),
    ],
  })
} finally {
  await browser.close()
}

type Figures = Record<Command, number[]>

function noFigures(): Figures {
  return { stop: [], start: [], restart: [] }
}

function byCommand<T>(figureOf: (command: Command) => T): Record<Command, T> {
  return { stop: figureOf('stop'), start: figureOf('start'), restart: figureOf('restart') }
}

function summary(figures: Figures) {
  return byCommand((command) => ({
    p50: round(percentile(figures[command], 50)),
    p95: round(percentile(figures[command], 95)),
  }))
}

function onTop(from: Figures, floor: Figures) {
  const [whole, least] = [summary(from), summary(floor)]
  return byCommand((command) => ({
    p50: round(whole[command].p50 - least[command].p50),
    p95: round(whole[command].p95 - least[command].p95),
  }))
}

/** The agent names a program's script after it. */
function encoderProgram(): string {
  const scripts = readdirSync(join(agentDir, 'units')).map((name) => name.replace(/\.sh$/, ''))
  const found = scripts.find((name) => name.includes('encoder'))
  if (found === undefined) throw new Error(`No encoder among ${scripts.join(', ')}.`)
  return found
}

/** Stop and Restart are asked about first: there the answer is the click that counts. */
async function clickToScreen(page: Page, command: Command): Promise<number> {
  await page.evaluate(armStateWatch, CONFIRMED[command])
  const word = `${command[0]?.toUpperCase()}${command.slice(1)}`
  await page.getByRole('button', { name: `${word} Demo camera`, exact: true }).click()
  if (command !== 'start') await page.getByRole('button', { name: `${word} encoder` }).click()
  return page.evaluate(async () => (window as unknown as StateWatch).confirmedMs)
}

interface StateWatch {
  confirmedMs: Promise<number>
}

/** Runs in the page: from the last click to the frame that shows the word, once another one was shown. */
function armStateWatch(word: string): void {
  const { promise, resolve } = Promise.withResolvers<number>()
  ;(window as unknown as StateWatch).confirmedMs = promise
  let clickedAt = Number.NaN
  const onClick = (event: MouseEvent) => (clickedAt = event.timeStamp)
  document.addEventListener('click', onClick, { capture: true })
  const shown = () => document.querySelector('article[data-word]')?.getAttribute('data-word')
  let hasLeft = shown() !== word
  const watch = new MutationObserver(() => {
    hasLeft ||= shown() !== word
    if (!hasLeft || shown() !== word) return
    watch.disconnect()
    document.removeEventListener('click', onClick, { capture: true })
    requestAnimationFrame(() => resolve(performance.now() - clickedAt))
  })
  watch.observe(document.body, { attributes: true, attributeFilter: ['data-word'], subtree: true })
}
