import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `vite` finds the API while the console is developed; the built console shares its origin. */
const API_WHILE_DEVELOPING = 'http://127.0.0.1:8080'

/**
 * The player's engine is a third of all the code: it is loaded when a player opens. Forms are loaded when
 * the first opens.
 */
const LATER = /\/hls\.js\/|\/channels\/player\/(hls|player\.ts)|\/console\/src\/forms\//

export default defineConfig({
  plugins: [react()],
  // The API puts a fresh nonce in place of this for every page it serves.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    // Small pictures stay files of their own: the page's policy is narrow, and they cache.
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: {
      output: {
        // Browsers request six files at a time over HTTP/1.1. Measured, files and kB (brotli) of the
        // dashboard: without this 38 and 177, from four users on 7 and 202, from two on 4 and 248.
        codeSplitting: {
          groups: [{ name: 'shared', minShareCount: 4, test: (id) => !LATER.test(id) }],
        },
      },
    },
    // Checked by hand and by the budget below; the default of 500 kB says nothing about gzip.
    chunkSizeWarningLimit: 700,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: API_WHILE_DEVELOPING } },
  },
})
