/** Builds the console in French: every text of the catalogue in the place of the English one. */
import type { Plugin } from 'vite'
import { frenchOf, placeOfFile } from './french.ts'
import { translateSource } from './source-texts.ts'

export function french(): Plugin {
  return {
    name: 'french',
    enforce: 'pre',
    transform(code, id) {
      if (placeOfFile(id) === null) return null
      return { code: translateSource(id, code, (text) => frenchOf(id, text) ?? null), map: null }
    },
    transformIndexHtml: (html) => html.replace('lang="en"', 'lang="fr"'),
  }
}
