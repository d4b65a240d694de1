/** What happened on the walk through the pages, as it is printed and written into the page. */

export interface WalkStep {
  /** The machine, or 'browser'. */
  readonly where: string
  /** Typed there; of the browser what the operator does. */
  readonly action: string
  readonly seconds: number
  /** Lines worth reading. */
  readonly output: readonly string[]
}

const LINES_SHOWN = 8
/** What apt and dpkg print of each package. */
const NOISE = new RegExp(
  [
    'Get:|Hit:|Ign:|Need to get|After this|Do you want|Selecting|Preparing|Unpacking|Processing',
    '\\(?Reading|Building|Extracting|Created symlink|Adding |The following|Suggested|Recommended',
    '  [a-z]|Setting up (?!trunkline)|[.+*-]{5}|Creating|N: |W: |\\s+Fix:|\\d+% |rehash:|writing new',
    'update-alternatives|Preconfiguring|Note, selecting|Upgrading binary|No schema files|\\S+ is a disabled|Regenerating|Updating|Running hooks|done\\.|\\d+ added|\\s*$',
  ]
    .map((part) => `^(?:${part})`)
    .join('|'),
)

/** `secrets` are shown as `…`. */
export function readableLines(text: string, secrets: readonly string[]): string[] {
  const plain = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  const lines = plain
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !NOISE.test(line))
  return lines.length <= LINES_SHOWN ? lines : ['…', ...lines.slice(-LINES_SHOWN)]
}

export function stepText({ where, action, seconds, output }: WalkStep): string {
  const mark = where === 'browser' ? '' : '# '
  const [first = '', ...more] = action.split('\n')
  const lines = [`${`${seconds.toFixed(1)} s`.padStart(7)}  ${where}: ${mark}${first}`]
  const indent = ' '.repeat(9)
  for (const line of [...more, ...output.map((each) => `  ${each}`)]) lines.push(indent + line)
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** `elapsedS`: from the first to the last. */
export function sumSentence(steps: readonly WalkStep[], elapsedS: number): string {
  const total = Math.round(elapsedS)
  const typed = steps.filter(({ where }) => where !== 'browser').length
  const minutes = `${Math.floor(total / 60)} min ${String(total % 60).padStart(2, '0')} s`
  return `${typed} commands and ${steps.length - typed} steps in the browser took ${minutes}.`
}

const BEGIN = '<!-- npm run docs:walk writes from here -->'
const END = '<!-- to here -->'

/** `sum`: a sentence above it. The page with this walk in the place of the one before it. */
export function withTranscript(page: string, steps: readonly WalkStep[], sum: string): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) {
    throw new Error(`The page has no lines '${BEGIN}' and '${END}'.`)
  }
  const text = steps.map(stepText).join('\n')
  return `${before}${BEGIN}\n\n${sum}\n\n\`\`\`text\n${text}\n\`\`\`\n\n${END}${after}`
}
