/** A fleet of fake agents in a process of its own, so that its CPU is not counted with ours. */
import { FakeFleet } from './fake-fleet.ts'

const [fleet, older] = [await FakeFleet.open('acants'), await FakeFleet.open('acants')]
older.giveNoSigns()
process.send?.({ type: 'ready', port: fleet.port, olderPort: older.port })
