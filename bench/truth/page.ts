/**
 * What the console's pages show, row by row, ten times a second: read in the page and stamped there.
 * Only changes are kept. The functions below run in the page and may use nothing from outside.
 */
import type { Page } from '@playwright/test'
import { SAMPLE_MS, type Figures, type Shown } from './truth.rules.ts'

export type PageKind = 'encoders' | 'feeders' | 'inputs' | 'outputs' | 'channels' | 'channel'

type Reading = Pick<Shown, 'row' | 'state' | 'ageS' | 'figures'>

interface Sampled {
  atMs: number
  reading: Reading
}

/** What the page keeps for itself. */
interface PageSampler {
  read: () => Reading[]
  ageSOf: (text: string | null | undefined) => number | null
  numberOf: (text: string | null | undefined) => number | null
  textOf: (within: Element | null | undefined, selector: string) => string
  noFigures: Figures
  changes: Sampled[]
  lastAtMs: number
  longestGapMs: number
}

export interface Watched {
  shown: Shown[]
  /** Between two looks: more than a fraction of a second means that the machine was too busy. */
  longestGapMs: number
}

const READERS: Record<PageKind, () => void> = {
  encoders: installEncoderReader,
  feeders: installLinkReader,
  inputs: installLinkReader,
  outputs: installLinkReader,
  channels: installChannelReader,
  channel: installDetailReader,
}

export async function startWatching(page: Page, kind: PageKind): Promise<void> {
  await page.evaluate(installHelpers)
  await page.evaluate(READERS[kind])
  await page.evaluate(startSampling, SAMPLE_MS)
}

/** Everything since the start. */
export async function takeWatched(page: Page): Promise<Watched> {
  const { changes, lastAtMs, longestGapMs } = await page.evaluate(() => {
    const { changes, lastAtMs, longestGapMs } = (window as unknown as { truth: PageSampler }).truth
    return { changes, lastAtMs, longestGapMs }
  })
  const rows = new Set(changes.map(({ reading }) => reading.row))
  const shown = [...rows].flatMap((row) => {
    const ofRow = changes.filter(({ reading }) => reading.row === row)
    return ofRow.map(({ atMs, reading }, at) => ({
      ...reading,
      fromMs: atMs,
      untilMs: ofRow[at + 1]?.atMs ?? lastAtMs,
    }))
  })
  return { shown, longestGapMs }
}

function installHelpers(): void {
  const truth: PageSampler = {
    read: () => [],
    noFigures: { rate: null, rtt: null, target: null, quoted: '', verdict: '' },
    // '0:42', '1:12:44'.
    ageSOf: (text) => {
      const match = /(?:(\d+):)?(\d+):(\d\d)/.exec(text ?? '')
      if (match === null) return null
      return Number(match[1] ?? 0) * 3600 + Number(match[2]) * 60 + Number(match[3])
    },
    numberOf: (text) => {
      const match = /[\d,]+(\.\d+)?/.exec(text ?? '')
      return match === null ? null : Number(match[0].replaceAll(',', ''))
    },
    textOf: (within, selector) => within?.querySelector(selector)?.textContent?.trim() ?? '',
    changes: [],
    lastAtMs: 0,
    longestGapMs: 0,
  }
  Object.assign(window, { truth })
}

/** The state's line stands below the card's head; the rate is the one bold figure with its unit. */
function installEncoderReader(): void {
  const { truth } = window as unknown as { truth: PageSampler }
  truth.read = () =>
    [...document.querySelectorAll('article')].map((card) => {
      const line = card.querySelector('header + p')
      const [word = '', cause = ''] = [...(line?.children ?? [])]
        .filter((child) => child.tagName === 'SPAN' && !/group/.test(child.className))
        .map((child) => child.textContent ?? '')
      const rate = [...card.querySelectorAll('p')].find((element) =>
        (element.textContent ?? '').endsWith('kbit/s'),
      )
      return {
        row: `encoder ${truth.textOf(card, 'h2')}`,
        state: cause === '' ? word : `${word}, ${cause}`,
        ageS: truth.ageSOf(truth.textOf(line, 'time')),
        figures: { ...truth.noFigures, rate: truth.numberOf(rate?.textContent) },
      }
    })
}

/** Inputs, outputs and feeders, each with its detail open below. */
function installLinkReader(): void {
  const { truth } = window as unknown as { truth: PageSampler }
  const kind = { Inputs: 'input', Outputs: 'output' } as Record<string, string>
  const group = (within: Element | null, name: string) =>
    within?.querySelector(`[role="group"][aria-label="${name}"]`)
  truth.read = () =>
    [...document.querySelectorAll('tbody tr')].flatMap((row) => {
      const title = row.querySelector('th span[title]')?.textContent ?? ''
      const chip = row.querySelector('td span[data-f]')
      if (title === '' || chip === null) return []
      const table = row.closest('table')?.getAttribute('aria-label') ?? ''
      const detail = row.nextElementSibling
      const words = [...chip.querySelectorAll('span')].map((element) => element.textContent ?? '')
      const tile = group(detail, 'Sent') ?? group(detail, 'Received')
      const target = group(detail, 'Target status')
      const rates = [truth.textOf(tile, 'b'), truth.textOf(row, 'td b')].map(truth.numberOf)
      return {
        row: `${kind[table] ?? 'feeder'} ${title}`,
        state: words.join(', '),
        ageS: truth.ageSOf(truth.textOf(row, 'td time')),
        figures: {
          ...truth.noFigures,
          // Row and detail: whichever still shows something.
          rate: rates.every((rate) => rate === null) ? null : Math.max(...rates.map(Number)),
          rtt: truth.numberOf(truth.textOf(group(detail, 'RTT'), 'b')),
          target: /STATUS: (CONNECTED|DISCONNECTED|)/.exec(truth.textOf(target, 'h2'))?.[1] ?? null,
          quoted: truth.textOf(target, 'h2 + p'),
        },
      }
    })
}

function installChannelReader(): void {
  const { truth } = window as unknown as { truth: PageSampler }
  truth.read = () =>
    [...document.querySelectorAll('tbody tr')].flatMap((row) => {
      const chip = row.querySelector('th span[data-f]')
      const input = row.querySelector('td')
      if (chip === null || input === null) return []
      const kbps = /([\d,]+) kbit\/s/.exec(input.textContent ?? '')?.[1]
      return {
        row: `channel ${truth.textOf(row, 'th button') || truth.textOf(row, 'th')}`,
        state: [...chip.querySelectorAll('span')]
          .map((element) => element.textContent ?? '')
          .join(', '),
        ageS: truth.ageSOf(truth.textOf(row, 'th time')),
        figures: { ...truth.noFigures, rate: truth.numberOf(kbps) },
      }
    })
}

/** The open detail: its state with the signal path, and its current source. */
function installDetailReader(): void {
  const { truth } = window as unknown as { truth: PageSampler }
  truth.read = () => {
    const dialog = document.querySelector('[role="dialog"]')
    const chip = dialog?.querySelector('span[data-f]')
    if (dialog === null || chip === null || chip === undefined) return []
    const title = 'Bench live'
    const path = dialog.querySelector('ol')
    const source = dialog.querySelector('section[aria-label="Current source"]')
    const active = /active for ([\d:]+)/.exec(truth.textOf(source, 'small'))?.[1]
    return [
      {
        row: `path ${title}`,
        state: [...chip.querySelectorAll('span')]
          .map((element) => element.textContent ?? '')
          .join(', '),
        ageS: truth.ageSOf(truth.textOf(chip.parentElement, 'time')),
        figures: { ...truth.noFigures, verdict: path?.nextElementSibling?.textContent ?? '' },
      },
      {
        row: `source ${title}`,
        state: truth.textOf(source, 'code'),
        ageS: truth.ageSOf(active),
        figures: truth.noFigures,
      },
    ]
  }
}

function startSampling(everyMs: number): void {
  const { truth } = window as unknown as { truth: PageSampler }
  const last = new Map<string, string>()
  truth.lastAtMs = Date.now()
  setInterval(() => {
    const atMs = Date.now()
    truth.longestGapMs = Math.max(truth.longestGapMs, atMs - truth.lastAtMs)
    truth.lastAtMs = atMs
    const readings = truth.read()
    const rows = new Set(readings.map(({ row }) => row))
    // A row that is not drawn says nothing, which is no state either.
    for (const row of last.keys()) {
      if (!rows.has(row)) readings.push({ row, state: '', ageS: null, figures: truth.noFigures })
    }
    for (const reading of readings) {
      const text = JSON.stringify(reading)
      if (last.get(reading.row) === text) continue
      last.set(reading.row, text)
      truth.changes.push({ atMs, reading })
    }
  }, everyMs)
}
