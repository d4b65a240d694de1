/** Areas whose work comes with a later release. No button that does nothing. */
import { LaterPage } from '../shared/LaterPage.tsx'

export function InputConfigPage() {
  return (
    <LaterPage
      title="Contribution Config"
      sentence="Here you will set how this input receives its stream: address, port, latency, encryption and advanced parameters."
    />
  )
}

export function OutputConfigPage() {
  return (
    <LaterPage
      title="Output Configuration"
      sentence="Here you will set where this output sends its stream, and how."
    />
  )
}
