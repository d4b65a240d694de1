/** At the foot of a list by state that stays in its order while somebody reads it. */
import { Button } from '../../ui/button/Button.tsx'

export function StatesChanged({ onShow }: { onShow: () => void }) {
  return (
    <p role="status">
      States have changed since this page was read.{' '}
      <Button size={28} onClick={onShow}>
        Show again
      </Button>
    </p>
  )
}
