/** What every page stands in: look, cache, notices, the question dialog, keys. */
import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import { useEffect, type ReactNode } from 'react'
import { forgetTyping } from '../shared/kept/kept-typing.hook.ts'
import { useQuestion } from '../lib/confirm.ts'
import { closeOnAir } from '../lib/on-air.ts'
import { followOtherTabs, hasSignedOut, onSessionEnd, readSession } from '../lib/session.ts'
import { listenForShortcuts } from '../lib/shortcuts.ts'
import { onOtherTab, storage, type ColorScheme } from '../lib/storage.ts'
import { showToast, closeToast, useToasts, type ToastTone } from '../lib/toast.ts'
import { ScheduleQuestions } from '../schedules/ScheduleQuestions.tsx'
import { sentenceForEnd } from '../session/session.messages.ts'
import { OnAirQuestions } from '../shared/on-air/OnAirQuestions.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Toasts } from '../ui/notice/Toasts.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import classes from './providers.module.css'

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
        closeOnAir()
        if (hasSignedOut()) forgetTyping()
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
        <OnAirQuestions />
        <ScheduleQuestions />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** DLG-06: word for word. */
const ARE_YOU_SURE = 'Are you sure?'

/** The one question dialog: 'Are you sure?', what happens, and two verbs. The safe one has the focus. */
function ConfirmDialog() {
  const { question, isOpen, isChecking, finding, answer } = useQuestion()
  return (
    <Dialog
      title={ARE_YOU_SURE}
      width={440}
      isOpen={isOpen}
      onClose={() => answer(false)}
      footer={
        <>
          <Button size={36} data-autofocus onClick={() => answer(false)}>
            {question?.keepLabel}
          </Button>
          <Button
            size={36}
            tone="danger"
            disabledReason={isChecking ? finding : null}
            onClick={() => answer(true)}
          >
            {question?.doLabel}
          </Button>
        </>
      }
    >
      {question?.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p role="status" className={classes.finding}>
        {finding}
      </p>
    </Dialog>
  )
}

const LOOKS: Record<ToastTone, { family: Family; shape: Shape }> = {
  success: { family: 'ok', shape: 'disc' },
  warning: { family: 'warn', shape: 'triangle' },
  failure: { family: 'bad', shape: 'octagon' },
}

/** The notices of lib/toast.ts on the screen. */
function Notices() {
  const toasts = useToasts().map(({ tone, ...toast }) => ({
    ...toast,
    ...LOOKS[tone],
    isUrgent: tone !== 'success',
  }))
  return <Toasts toasts={toasts} onClose={closeToast} />
}
