/** How much JavaScript each page asks for before its first row is drawn: by the build, without a browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { PAGE_SCRIPTS_FILE } from '../tools/build/page-scripts.mjs'

/** Of gzip. */
const LIMIT_KB = 300

interface PageScripts {
  page: string
  kb: number
}

test('no page asks for more than 300 kB of scripts', () => {
  const file = join(repositoryRoot(), 'packages/console/dist', PAGE_SCRIPTS_FILE)
  const pages = JSON.parse(readFileSync(file, 'utf8')) as PageScripts[]
  expect(pages.length).toBeGreaterThan(10)
  // What is shown only after a click is loaded later: packages/console/src/lib/later.ts.
  expect(pages.filter(({ kb }) => kb > LIMIT_KB)).toEqual([])
})
