/** In place of a page that could not be drawn, under the head of the console, which stays. */
import { Button } from '../ui/button/Button.tsx'
import { Empty } from '../ui/notice/Notice.tsx'

export function PageFailed() {
  return (
    <Empty
      title="This page could not be shown."
      action={<Button onClick={() => window.location.reload()}>Reload the console</Button>}
    >
      The console server did not answer, or has been renewed since this console was opened. Streams
      go on, and nothing was changed.
    </Empty>
  )
}
