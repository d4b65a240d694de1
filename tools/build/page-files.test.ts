import { expect, test } from 'vitest'
import { pageFiles, pagesOf } from './page-files.mjs'

const MANIFEST = {
  'index.html': {
    file: 'assets/index.js',
    css: ['assets/index.css'],
    imports: ['_shared.js'],
    dynamicImports: ['src/a/APage.tsx', 'src/app/BPage.tsx'],
  },
  '_shared.js': { file: 'assets/shared.js' },
  '_deep.js': { file: 'assets/deep.js', css: ['assets/deep.css'], imports: ['_shared.js'] },
  'src/a/APage.tsx': {
    file: 'assets/APage.js',
    imports: ['index.html', '_deep.js'],
    dynamicImports: ['src/a/Dialog.tsx'],
  },
  'src/a/Dialog.tsx': { file: 'assets/Dialog.js', imports: ['_deep.js'] },
  'src/app/BPage.tsx': { file: 'assets/BPage.js', imports: ['_shared.js'] },
}

const ROUTER = `
const APage = lazyRouteComponent(async () => import('../a/APage.tsx'), 'APage')
const BPage = lazyRouteComponent(
  async () => import('./BPage.tsx'),
  'BPage',
)
const b = createRoute({
  getParentRoute: () => root,
  path: paths.b,
  component: BPage,
})
inShell(paths.a, 'dashboard', APage),
inShell(paths.other, 'dashboard', APage),
`

const PATHS = `
export const paths = {
  a: '/a',
  /** With a parameter. */
  b: '/b/$id',
  other: '/other',
} as const
`

test('W8 the page of each path is the file that the router loads there', () => {
  expect(pagesOf(ROUTER, PATHS)).toEqual([
    { path: '/a', page: 'src/a/APage.tsx' },
    { path: '/b/$id', page: 'src/app/BPage.tsx' },
    { path: '/other', page: 'src/a/APage.tsx' },
  ])
  expect(() => pagesOf(ROUTER, "  c: '/c',\n")).toThrow('no page was found for the path c')
})

test('W8 a path names what its page imports, not what every page has or what is loaded later', () => {
  const pages = [
    { path: '/$id/a', page: 'src/a/APage.tsx' },
    { path: '/b/$id', page: 'src/app/BPage.tsx' },
  ]
  const linked = pageFiles(pages, MANIFEST, '/fr/').map(({ path, links }) => [
    path,
    [...links.matchAll(/rel="(\w+)" crossorigin href="(\S+)" nonce="__CSP_NONCE__"/g)].map(
      ([, kind, file]) => `${kind} ${file}`,
    ),
  ])
  expect(linked).toEqual([
    ['/b/$id', ['modulepreload /fr/assets/BPage.js']],
    [
      '/$id/a',
      [
        'modulepreload /fr/assets/APage.js',
        'modulepreload /fr/assets/deep.js',
        'stylesheet /fr/assets/deep.css',
      ],
    ],
  ])
  expect(() => pageFiles([{ path: '/', page: 'src/CPage.tsx' }], MANIFEST, '/')).toThrow(
    'src/CPage.tsx was not built',
  )
})
