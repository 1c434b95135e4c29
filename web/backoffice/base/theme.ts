// Mantine's settings for this app. Its variables are in styles/tokens.css, because the document's policy forbids styles
// that are written into the page.
import { Button, Drawer, Menu, Modal, Select, SegmentedControl, Skeleton, Tooltip, createTheme } from '@mantine/core';
import { t } from './texts.ts';

export const theme = createTheme({
  primaryColor: 'florin',
  colors: {
    florin: [
      ...(['#e3f1ef', '#c9e3df', '#9fcdc6', '#6fb3aa', '#479a90', '#2a857a'] as const),
      ...(['#0b5d57', '#0a524d', '#084842', '#063833'] as const),
    ],
  },
  fontFamily: 'var(--sans)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    // locking the scroll bar would write a style into the page
    Modal: Modal.extend({
      defaultProps: { lockScroll: false, centered: true, size: 480, closeButtonProps: { 'aria-label': t('Close') } },
    }),
    Drawer: Drawer.extend({
      defaultProps: { lockScroll: false, position: 'right', size: 480, closeButtonProps: { 'aria-label': t('Close') } },
    }),
    Menu: Menu.extend({ defaultProps: { shadow: 'md', position: 'bottom-end', width: 220 } }),
    Select: Select.extend({ defaultProps: { size: 'sm', checkIconPosition: 'right', allowDeselect: false } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs' } }),
    Skeleton: Skeleton.extend({ defaultProps: { animate: true } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 250, withArrow: true } }),
  },
});
