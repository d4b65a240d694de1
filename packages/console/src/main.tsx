/** The page begins: settings of the libraries first, then the console. */
import './lib/zod-without-eval.ts'
import './app/trusted-types.ts'
// Self-hosted: no font is asked of a third party.
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@mantine/core/styles/default-css-variables.css'
import './ui/tokens.css'
import './ui/base.css'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Providers } from './app/providers.tsx'
import { makeRouter } from './app/router.tsx'
import { readLanguage } from './lib/locale/language.ts'
import { makeQueryClient } from './lib/query-client.ts'

const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
const nonce = meta?.nonce ?? ''
// react-remove-scroll writes a style element of its own and asks get-nonce for it.
setNonce(nonce)

const place = document.getElementById('root')
if (place === null) throw new Error('The page has no element with the id root.')
// public/page-start.js has found out, and the page says so.
if (document.documentElement.dataset['tooOld'] === undefined) void show(place)

/** In a function: a module that awaits is bundled apart from what it shares, for 6 kB more. */
async function show(at: HTMLElement): Promise<void> {
  await readLanguage()
  createRoot(at).render(
    <StrictMode>
      <Providers queryClient={makeQueryClient()} nonce={nonce}>
        <RouterProvider router={makeRouter()} />
      </Providers>
    </StrictMode>,
  )
}
