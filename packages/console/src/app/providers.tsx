/** What every page stands in: look, cache, notices, the question dialog, keys. */
import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { sentenceForEnd } from '../session/session.messages.ts'
import { followOtherTabs, onSessionEnd, readSession } from '../lib/session.ts'
import { listenForShortcuts } from '../lib/shortcuts.ts'
import { onOtherTab, storage, type ColorScheme } from '../lib/storage.ts'
import { showToast } from '../lib/toast.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Notices } from './Notices.tsx'
import { cssVariables, theme } from '../ui/theme.ts'

/** Remembers the choice behind our own door to storage, and follows other tabs. */
function makeColorSchemeManager(): MantineColorSchemeManager {
  let stopHearing = () => {}
  const read = (fallback: ColorScheme) => storage.colorScheme.read() ?? fallback
  return {
    get: read,
    set: (value) => storage.colorScheme.write(value),
    subscribe: (onUpdate) => {
      stopHearing = onOtherTab((key) => {
        if (key === storage.colorScheme.key) onUpdate(read('auto'))
      })
    },
    unsubscribe: () => stopHearing(),
    clear: () => storage.colorScheme.clear(),
  }
}

const colorSchemeManager = makeColorSchemeManager()

interface ProvidersProps {
  queryClient: QueryClient
  /** The nonce of this page; '' where there is no policy. */
  nonce: string
  children: ReactNode
}

export function Providers({ queryClient, nonce, children }: ProvidersProps) {
  useEffect(listenForShortcuts, [])
  useEffect(followOtherTabs, [])
  useEffect(
    () =>
      onSessionEnd((reason) => {
        // What one account saw is not shown to the next.
        if (readSession() === null) queryClient.clear()
        else void queryClient.resetQueries()
        if (reason !== null) showToast('failure', sentenceForEnd(reason), '')
      }),
    [queryClient],
  )
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <ConfirmDialog />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  )
}
