/**
 * The answers of this host's tools about themselves, kept from one start of the agent to the next.
 * Asking all of them takes a second and more of processor time, and until then nobody knows what runs
 * here. A tool whose file or libraries have changed is queried again.
 */
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { toolEnvironment } from '../config.ts'
import { writePrivateSoon } from '../supervisor/private-file.ts'
import { readJson, statOf } from './files.ts'
import { outputOf } from './tools.ts'

/** How a tool is asked: what it prints, '' when it cannot be run. */
export type AskTool = (tool: string, args: readonly string[]) => Promise<string>

const Known = z.record(z.string(), z.object({ stamp: z.string(), answer: z.string() }))
type Known = z.infer<typeof Known>

/** Written anew whenever a library is installed. */
const LIBRARIES = '/etc/ld.so.cache'

export class ToolAnswers {
  readonly #file: string
  readonly #known: Known
  readonly #asked: Known = {}

  /** `file`: where they are kept; an unreadable file counts as none. */
  constructor(file: string) {
    this.#file = file
    this.#known = readJson(file, Known) ?? {}
  }

  readonly ask: AskTool = async (tool, args) => {
    const stamp = stampOf(tool)
    if (stamp === '') return ''
    const question = [tool, ...args].join(' ')
    const known = this.#known[question]
    const answer = known?.stamp === stamp ? known.answer : await outputOf(tool, args)
    // A tool that could not be run just now may run the next time.
    if (answer !== '') this.#asked[question] = { stamp, answer }
    return answer
  }

  /** Once all have been asked. A disk that takes nothing costs the next start its time. */
  save(): void {
    if (JSON.stringify(this.#asked) === JSON.stringify(this.#known)) return
    try {
      writePrivateSoon(this.#file, JSON.stringify(this.#asked))
    } catch {
      // They are asked again.
    }
  }
}

/** Of its file and of the libraries that it may load; '' when there is no such tool. */
function stampOf(tool: string): string {
  const { PATH = '', LD_LIBRARY_PATH = '' } = toolEnvironment()
  const file = PATH.split(delimiter)
    .map((folder) => stampOfFile(join(folder, tool)))
    .find((stamp) => stamp !== '')
  if (file === undefined) return ''
  const libraries = [LIBRARIES, ...LD_LIBRARY_PATH.split(delimiter)].map(stampOfFile)
  return [file, ...libraries].join(' ')
}

function stampOfFile(path: string): string {
  const stat = statOf(path)
  return stat === undefined ? '' : `${path}:${stat.ino}:${stat.size}:${stat.mtimeMs}`
}
