/** The icons of Lucide that we use, by what they mean here, in the colour of the text beside them. */
import * as Lucide from 'lucide-react'

const icons = {
  search: Lucide.Search,
  out: Lucide.LogOut,
  down: Lucide.ChevronDown,
  up: Lucide.ChevronUp,
  left: Lucide.ChevronLeft,
  right: Lucide.ChevronRight,
  filter: Lucide.ListFilter,
  refresh: Lucide.RefreshCw,
  restart: Lucide.RotateCw,
  plus: Lucide.Plus,
  minus: Lucide.Minus,
  close: Lucide.X,
  check: Lucide.Check,
  copy: Lucide.Copy,
  log: Lucide.TextAlignStart,
  lock: Lucide.Lock,
  pencil: Lucide.Pencil,
  bin: Lucide.Trash2,
  eye: Lucide.Eye,
  'eye-off': Lucide.EyeOff,
  info: Lucide.Info,
  history: Lucide.History,
  move: Lucide.ArrowLeftRight,
  path: Lucide.Waypoints,
  volume: Lucide.Volume2,
  muted: Lucide.VolumeX,
  'full-screen': Lucide.Maximize,
  dashboard: Lucide.LayoutGrid,
  encoder: Lucide.Video,
  channel: Lucide.TvMinimalPlay,
  contribution: Lucide.Share2,
  server: Lucide.Server,
  group: Lucide.Users,
  access: Lucide.KeyRound,
  person: Lucide.User,
  menu: Lucide.Menu,
  keyboard: Lucide.Keyboard,
  moon: Lucide.Moon,
  sun: Lucide.Sun,
  system: Lucide.Monitor,
  more: Lucide.Ellipsis,
  play: Lucide.Play,
  pause: Lucide.Pause,
  stop: Lucide.Square,
}

export type IconName = keyof typeof icons

/** What a machine does is drawn full, as on its keys. */
const FULL: ReadonlySet<IconName> = new Set(['play', 'pause', 'stop'])

/** Lucide's pictures fill a box of 24 units; ours have a margin, and lines of 1.5 pixels at 16. */
const LINE = { viewBox: '-1 -1 26 26', strokeWidth: 2.4 }
const FILLED = { viewBox: '-5 -5 34 34', fill: 'currentColor', stroke: 'none' }

/** Decoration: the button or the word beside it names what it means. `size` in pixels. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const Picture = icons[name]
  return <Picture {...(FULL.has(name) ? FILLED : LINE)} size={size} aria-hidden="true" />
}
