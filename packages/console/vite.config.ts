import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { french } from './language/french.plugin.ts'
import { translateSource } from './language/source-texts.ts'

/** Where `vite` finds the API while the console is developed; the built console shares its origin. */
const API_WHILE_DEVELOPING = 'http://127.0.0.1:8080'

/**
 * The player's engine is a third of all the code: it is loaded when a player opens. Forms, logs,
 * timelines, the words of activity, signal paths and what asks before a page is left are loaded when the
 * first opens.
 */
const LATER =
  /\/hls\.js\/|\/channels\/player\/(hls|player\.ts)|\/console\/src\/(forms|paths|programs\/(log|timeline)|shared\/activity)\/|\/useBlocker\.js|\/PageGuard\.tsx|\/contract\/src\/(paths\/|audit\/call\.messages|events\/event-text)/

/**
 * Each schema of zod carries the code that prints it as a JSON schema. The API does that (ADR 0058),
 * the console never: without it every page loads 6 kB (gzip) less. A name that zod no longer exports
 * ends the build.
 */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  transform(code, id) {
    if (!/\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) return null
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return { code: names.map((name) => `export const ${name} = () => {}`).join('\n'), map: null }
  },
}

/**
 * Parts that hang on a component as its properties stay in the build though nobody uses them: submenus,
 * the search, radio items and context menus of Mantine's Menu, the arrows of what floats, and its ScrollArea,
 * which its Modal only compares with. Without them a page loads 7 to 11 kB (gzip) less. Using one renders
 * nothing here: take it off this list first. A name that Mantine no longer exports ends the build.
 */
const UNUSED_OF_MANTINE =
  /\/@mantine\/core\/esm\/(?:utils\/Floating\/FloatingArrow\/[\w-]+|components\/(?:Menu\/(?:MenuSub|MenuSearch|MenuContextMenu|MenuRadioGroup|MenuRadioItem|MenuCheckboxGroup)|ScrollArea)\/[A-Z]\w+)\.mjs$/
const withoutUnusedMantine: Plugin = {
  name: 'without-unused-mantine',
  transform(code, id) {
    if (!UNUSED_OF_MANTINE.test(id)) return null
    const [, names = ''] = /^export \{(.*)\}/m.exec(code) ?? []
    const parts = names.split(',').map((name) => `Unused as ${name.trim()}`)
    const unused = 'const Unused = () => null\nUnused.Autosize = Unused'
    return { code: `${unused}\nexport { ${parts.join(', ')} }`, map: null }
  },
}

/** The role table says what each row means for the page of roles; the console asks who may do what. */
const withoutRoleTexts: Plugin = {
  name: 'without-role-texts',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/contract/src/role-table.ts')) return null
    // Its words of rights are no texts: they stay.
    return { code: translateSource(id, code, (text) => (text.isExpected ? '' : null)), map: null }
  },
}

/** Vite's own preloading leaves a part that once failed to load failed until the page is reloaded. */
const PART_FILES = fileURLToPath(new URL('src/lib/part-files.ts', import.meta.url))
const ownPreloading: Plugin = {
  name: 'own-preloading',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadPart as __vitePreload } from ${JSON.stringify(PART_FILES)}`
      : null,
}

export default defineConfig(({ mode }) => ({
  plugins: [
    ...(mode === 'french' ? [french()] : []),
    ownPreloading,
    withoutRoleTexts,
    react(),
    withoutJsonSchema,
    withoutUnusedMantine,
  ],
  // The API puts a fresh nonce in place of this for every page it serves.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    // Small pictures stay files of their own: the page's policy is narrow, and they cache.
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: {
      output: {
        // Browsers request six files at a time over HTTP/1.1. Measured, files and kB (gzip) of the
        // dashboard, and of the largest page: from four users on 9 and 282, 16 and 302; from six on 14
        // and 280, 24 and 300. With more parts that are loaded later, six made the largest page 302 kB,
        // seven 301, eight 299, nine 301. Without what is unused of Mantine: 23 and 296 from six, 29 and 294
        // from seven, 37 and 293 from nine. When the configuration page of a link was at 300 kB from seven: 297
        // from nine, where the dashboard takes 24 files instead of 20.
        codeSplitting: {
          groups: [{ name: 'shared', minShareCount: 9, test: (id) => !LATER.test(id) }],
        },
      },
    },
    // What a page may load is held by e2e/page-scripts.e2e.ts; the default of 500 kB is not of gzip.
    chunkSizeWarningLimit: 700,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: API_WHILE_DEVELOPING } },
  },
}))
