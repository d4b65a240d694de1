/** In place of a page, under the head of the console, which stays: it is being loaded, or could not be. */
import { type ErrorComponentProps, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { AGAIN_AFTER_MS } from '../lib/later.ts'
import { useFocusOnWhatComes } from '../shared/page/focus-on-what-comes.hook.ts'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { Skeleton } from '../ui/notice/Skeleton.tsx'

export function PageOpening() {
  return (
    <>
      <PageHead title="Opening the page" />
      <Skeleton kind="row" count={6} height={36} />
    </>
  )
}

export function PageFailed({ reset }: ErrorComponentProps) {
  const router = useRouter()
  const matches = useMatches()
  const openAgain = useEffectEvent(async () => {
    // The component keeps why it failed until it is loaded anew.
    for (const { routeId } of matches) {
      await router.routesById[routeId].options.component?.preload?.()
    }
    reset()
  })
  useEffect(() => {
    const timer = setInterval(() => void openAgain(), AGAIN_AFTER_MS)
    return () => clearInterval(timer)
  }, [])
  const place = useFocusOnWhatComes()
  return (
    <div ref={place}>
      <Empty
        title="This page could not be shown."
        action={<Button onClick={() => window.location.reload()}>Reload the console</Button>}
      >
        The console server did not answer, or was updated since this console was opened. Streams
        keep running, and nothing was changed. It is tried again every 5 s.
      </Empty>
    </div>
  )
}
