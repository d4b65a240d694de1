/** How much JavaScript each page asks for before its first row is drawn: by the build, without a browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { PAGE_SCRIPTS_FILE } from '../tools/build/page-scripts.mjs'
// Not Playwright's own: a worker ends, with its site, where the next file has other fixtures.
import { expect, test } from './site.fixture.ts'

/** Of gzip. French sentences are longer: its largest page has 303.2 kB where the English has 299.9. */
const LIMIT_KB = { English: 300, French: 304 } as const

interface PageScripts {
  page: string
  kb: number
}

for (const [language, folder] of [
  ['English', ''],
  ['French', 'fr'],
] as const) {
  test(`no page asks for more than ${LIMIT_KB[language]} kB of scripts, in ${language}`, () => {
    const file = join(repositoryRoot(), 'packages/console/dist', folder, PAGE_SCRIPTS_FILE)
    const pages = JSON.parse(readFileSync(file, 'utf8')) as PageScripts[]
    expect(pages.length).toBeGreaterThan(10)
    // What is shown only after a click is loaded later: packages/console/src/lib/later.ts.
    expect(pages.filter(({ kb }) => kb > LIMIT_KB[language])).toEqual([])
  })
}
