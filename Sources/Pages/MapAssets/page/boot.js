// Shows the drive that is in the page.

window.drivePage = new DrivePage(
    new Drive(JSON.parse(document.getElementById('drive').textContent)));
