/** The pages keep up with the code: every setting is documented, every link leads somewhere. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { operatorPages } from './docs/code-blocks.ts'
import { MOST_PICTURE_BYTES, PICTURES, PICTURES_FOLDER } from './docs/pictures.ts'

/** Characters: a sentence for those who do not see it. */
const MIN_ALT = 20

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

function settingsIn(path: string): string[] {
  return [...new Set(read(path).match(/\bTRUNKLINE_[A-Z]+(?:_[A-Z]+)*/g))].toSorted()
}

test('every setting that is read is documented in settings.md, and no other', () => {
  const code = [
    'packages/api/src/config.ts',
    'packages/api/src/security/oidc-settings.ts',
    'packages/testbed/src/starter.config.ts',
  ]
  const inCode = [...new Set(code.flatMap(settingsIn))].filter((name) => name !== 'TRUNKLINE_')
  expect(settingsIn('docs/operate/settings.md')).toEqual(inCode.toSorted())
})

const pages = ['.', 'docs', 'docs/adr', 'docs/operate'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

test.each(pages)('the links of %s lead to files', (page) => {
  const targets = [...read(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((match) => match[1] ?? '')
  const broken = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(join(root, dirname(page), target)))
  expect(broken).toEqual([])
})

const sources = ['bench', 'docs', 'e2e', 'packages', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => !/(^|\/)(node_modules|dist)(\/|$)/.test(path))
    .map((path) => `/${folder}/${path}`),
)

/** Of how files are named, and what a release writes. */
const NO_FILES = ['noun.role.ts', 'PascalCase.tsx', 'x.test.ts', 'dist/']

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('the files that %s names are there', (page) => {
  const named = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:tsx?|mjs|css|md)))`/g)]
  const names = named.map((match) => match[1] ?? '').filter((name) => !NO_FILES.includes(name))
  expect(names.length).toBeGreaterThan(20)
  // 'api/src/db/' as well as 'api/db/'.
  const spellings = (name: string) => [name, name.replace('/', '/src/')].map((at) => `/${at}`)
  const gone = names
    .map((name) => name.replace(/\/$/, ''))
    .filter((name) => !existsSync(join(root, name)))
    .filter((name) => !sources.some((path) => spellings(name).some((end) => path.endsWith(end))))
  expect(gone).toEqual([])
})

test('the index of docs/operate names each page, and README.md leads to it', () => {
  const index = read('docs/operate/README.md')
  const unnamed = readdirSync(join(root, 'docs/operate')).filter(
    (name) => name !== 'README.md' && !index.includes(`(${name})`),
  )
  expect(unnamed).toEqual([])
  expect(read('README.md')).toContain('](docs/operate/README.md)')
})

const shown = operatorPages().flatMap((page) =>
  [...read(page).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', target = '']) => ({
    page,
    alt,
    file: join(dirname(page), target),
  })),
)

test('each picture of a page is made by npm run docs:pictures, and says what it shows', () => {
  const made = PICTURES.map(({ name }) => join(PICTURES_FOLDER, `${name}.webp`))
  expect(shown.filter(({ file }) => !made.includes(file))).toEqual([])
  expect(shown.filter(({ alt }) => alt.length < MIN_ALT)).toEqual([])
  const files = readdirSync(join(root, PICTURES_FOLDER)).map((name) => join(PICTURES_FOLDER, name))
  expect(files.toSorted()).toEqual(made.toSorted())
  expect(made.filter((file) => !shown.some((each) => each.file === file))).toEqual([])
})

test.each(PICTURES)('the picture $name is small', ({ name }) => {
  const { size } = statSync(join(root, PICTURES_FOLDER, `${name}.webp`))
  expect(size).toBeLessThanOrEqual(MOST_PICTURE_BYTES)
})
